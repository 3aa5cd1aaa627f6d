import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { addDays, monthOf } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import { fillPage } from './read-in-batches.ts';
import { type FigureList, type ListCursor, type ListedRow, row } from './report.ts';
import { userHref, formatUserName } from './user-names.ts';

const columns: FigureList['columns'] = [
  { key: 'user', label: 'Member', kind: 'text' },
  { key: 'email', label: 'E-mail', kind: 'text' },
  { key: 'from', label: 'From', kind: 'day' },
  { key: 'to', label: 'Until', kind: 'day' },
  { key: 'monthly', label: 'Per month', kind: 'cents' },
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
    [formatUserName(span), span.email, span.from_day, addDays(span.to_day, -1), span.monthly],
    userHref(span.user_id),
  ),
  cursor: [span[order] ?? '', span.id],
});

type ListPage = { from: string; to: string; after: ListCursor | null; limit: number };

/** Spans that start, end or are a first payment in the range, ordered by that day. */
async function listWithin(
  db: Db,
  order: Order,
  kind: RawBuilder<SqlBool>,
  { from, to, after, limit }: ListPage,
): Promise<ListedRow[]> {
  const spans = await selectSpans(db)
    .where(kind)
    .where(startAfter([`paid_spans.${order}`, 'paid_spans.id'], after, from))
    .where(`paid_spans.${order}`, '<=', to)
    .orderBy(`paid_spans.${order}`)
    .orderBy('paid_spans.id')
    .limit(limit)
    .execute();
  return spans.map((span) => toListed(span, order));
}

const listEnds = (db: Db, day: string, after: ListCursor | null, limit: number) =>
  db
    .selectFrom('paid_spans')
    .select(['id', 'from_day', 'to_day'])
    .where(startAfter(['to_day', 'id'], after, addDays(day, 1)))
    .orderBy('to_day')
    .orderBy('id')
    .limit(limit)
    .execute();

type End = Awaited<ReturnType<typeof listEnds>>[number];

/** Everyone who is paying on a day, ordered by when they stop. */
async function listPaying(
  db: Db,
  day: string,
  { after, limit }: Pick<ListPage, 'after' | 'limit'>,
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

/** The subscribers behind the figures, each with the payment that counts. */
export const subscriberLists = {
  paying: {
    columns,
    read: ({ db }, { to }, page) => listPaying(db, to, page),
  },
  started: {
    columns,
    read: ({ db }, range, page) =>
      listWithin(db, 'from_day', sql`paid_spans.is_start = 1`, { ...range, ...page }),
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
