import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { addDays, monthOf } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { hrefOfPerson, nameOfPerson } from './person.ts';
import { fillPage } from './read-parts.ts';
import { row, type FigureList, type ListedRow, type ListPosition } from './report.ts';

const columns: FigureList['columns'] = [
  { key: 'person', label: 'Person', kind: 'text' },
  { key: 'email', label: 'E-mail', kind: 'text' },
  { key: 'from', label: 'Paid from', kind: 'day' },
  { key: 'to', label: 'Paid to', kind: 'day' },
  { key: 'monthly', label: 'A month', kind: 'cents' },
];

const selectSpans = (db: Db) =>
  db
    .selectFrom('paid_spans')
    .leftJoin('users', 'users.id', 'paid_spans.user_id')
    .select([
      'paid_spans.id',
      'paid_spans.user_id',
      'users.username',
      'users.email',
      'paid_spans.from_day',
      'paid_spans.to_day',
      'paid_spans.monthly',
      'paid_spans.cohort',
    ]);

type Span = Awaited<ReturnType<ReturnType<typeof selectSpans>['execute']>>[number];
type Order = 'from_day' | 'to_day' | 'cohort';

const toListed = (span: Span, order: Order): ListedRow => ({
  row: row(
    [nameOfPerson(span), span.email, span.from_day, addDays(span.to_day, -1), span.monthly],
    hrefOfPerson(span.user_id),
  ),
  position: [span[order] ?? '', span.id],
});

/** From the first of a stretch, or from where the last page ended. */
const goOn = (order: Order, from: string, after: ListPosition | null): RawBuilder<SqlBool> => {
  const column = sql.ref(`paid_spans.${order}`);
  return after
    ? sql<SqlBool>`(${column}, paid_spans.id) > (${after[0]}, ${after[1]})`
    : sql<SqlBool>`${column} >= ${from}`;
};

type Stretch = { from: string; to: string; after: ListPosition | null; limit: number };

/** Spans that begin, end or are a first payment in these days, in the order of that. */
async function listWithin(
  db: Db,
  order: Order,
  kind: RawBuilder<SqlBool>,
  { from, to, after, limit }: Stretch,
): Promise<ListedRow[]> {
  const spans = await selectSpans(db)
    .where(kind)
    .where(goOn(order, from, after))
    .where(`paid_spans.${order}`, '<=', to)
    .orderBy(`paid_spans.${order}`)
    .orderBy('paid_spans.id')
    .limit(limit)
    .execute();
  return spans.map((span) => toListed(span, order));
}

const listEnds = (db: Db, day: string, after: ListPosition | null, limit: number) =>
  db
    .selectFrom('paid_spans')
    .select(['id', 'from_day', 'to_day'])
    .where(goOn('to_day', addDays(day, 1), after))
    .orderBy('to_day')
    .orderBy('id')
    .limit(limit)
    .execute();

type End = Awaited<ReturnType<typeof listEnds>>[number];

/** Who is paid for on a day, from the first who stops after it. */
async function listPaying(
  db: Db,
  day: string,
  { after, limit }: Pick<Stretch, 'after' | 'limit'>,
): Promise<ListedRow[]> {
  const found = await fillPage(
    (last: End | null, most) => listEnds(db, day, last ? [last.to_day, last.id] : after, most),
    ({ from_day }) => from_day <= day,
    limit,
  );
  const ids = found.map(({ id }) => id);
  const spans =
    ids.length > 0 ? await selectSpans(db).where('paid_spans.id', 'in', ids).execute() : [];
  const byId = new Map(spans.map((span) => [span.id, span]));
  return ids.flatMap((id) => {
    const span = byId.get(id);
    return span ? [toListed(span, 'to_day')] : [];
  });
}

/** The people behind the figures of subscriptions, with the payment that they are counted for. */
export const payersThat = {
  pay: {
    columns,
    read: ({ db }, { to }, page) => listPaying(db, to, page),
  },
  began: {
    columns,
    read: ({ db }, range, page) =>
      listWithin(db, 'from_day', sql`paid_spans.is_begin = 1`, { ...range, ...page }),
  },
  stopped: {
    columns,
    read: ({ db }, range, page) =>
      listWithin(db, 'to_day', sql`paid_spans.is_end = 1`, { ...range, ...page }),
  },
  paidFirst: {
    columns,
    read: ({ db }, { from, to }, page) =>
      listWithin(db, 'cohort', sql`paid_spans.cohort is not null`, {
        from: monthOf(from),
        to: monthOf(to),
        ...page,
      }),
  },
} satisfies Record<string, FigureList>;
