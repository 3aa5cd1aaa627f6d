import { sql } from 'kysely';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import type { PaymentRowState } from '../../db/types/billing-tables.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import { listSiteDays } from './play-sums.ts';
import { previewPlays } from './plays-report.ts';
import { fillPage, forEachDayRange } from './read-in-batches.ts';
import {
  type FigureList,
  type TimeRange,
  type ReportContext,
  type ReportDefinition,
  row,
  shareOf,
  sumOf,
  toTimeRange,
} from './report.ts';
import { userHref, formatUserName } from './user-names.ts';

/** A payment today, or a card that pays later. */
const CHECKOUTS = ['first', 'card-check'] as const;

const listCheckouts = (db: Db, { from, to, after }: TimeRange, limit: number) =>
  db
    .selectFrom('payments')
    .leftJoin('users', 'users.id', 'payments.user_id')
    .select(['payments.reference', 'payments.user_id', 'users.username', 'users.email'])
    .select(['payments.created_at', 'payments.plan', 'payments.amount', 'payments.state'])
    .where('payments.created_at', '<', to)
    .where('payments.plan', 'is not', null)
    .where('payments.kind', 'in', CHECKOUTS)
    .where(startAfter(['payments.created_at', 'payments.reference'], after, from))
    .orderBy('payments.created_at')
    .orderBy('payments.reference')
    .limit(limit)
    .execute();

type ListedCheckout = Awaited<ReturnType<typeof listCheckouts>>[number];

const listCheckoutsWhere = (isOne: (state: PaymentRowState) => boolean): FigureList => ({
  columns: [
    { key: 'user', label: 'Member', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'at', label: 'Started', kind: 'time' },
    { key: 'plan', label: 'Plan', kind: 'text' },
    { key: 'amount', label: 'Amount', kind: 'cents' },
    { key: 'state', label: 'Outcome', kind: 'text' },
  ],
  read: async (context, range, { after, limit }) => {
    const timeRange = toTimeRange(context, range, after);
    const found = await fillPage(
      (last: ListedCheckout | null, most) =>
        listCheckouts(
          context.db,
          last ? { ...timeRange, after: [last.created_at, last.reference] } : timeRange,
          most,
        ),
      ({ state }) => isOne(state),
      limit,
    );
    return found.map((one) => ({
      row: row(
        [formatUserName(one), one.email, one.created_at, one.plan, one.amount, one.state],
        userHref(one.user_id),
      ),
      cursor: [String(one.created_at), one.reference],
    }));
  },
});

const startedCheckouts = listCheckoutsWhere(() => true);

const paidCheckouts = listCheckoutsWhere((state) => state === 'paid');

/** Checkouts started in the period, by their outcome. */
const countCheckouts = (db: Db, { from, to }: { from: number; to: number }) =>
  db
    .selectFrom('payments')
    .select(['state', sql<number>`count(*)`.as('checkouts')])
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('plan', 'is not', null)
    .where('kind', 'in', CHECKOUTS)
    .groupBy('state')
    .execute();

const DAYS_AT_ONCE = 31;

async function sumCheckouts(context: ReportContext, range: DayRange) {
  const sums = { started: 0, paid: 0 };
  await forEachDayRange(range, DAYS_AT_ONCE, async (part) => {
    for (const { state, checkouts } of await countCheckouts(
      context.db,
      toTimeRange(context, part),
    )) {
      sums.started += checkouts;
      if (state === 'paid') sums.paid += checkouts;
    }
  });
  return sums;
}

export const funnel: ReportDefinition = {
  title: 'Preview to paid',
  definition: 'Previews → checkouts started → paid.',
  plot: 'funnel',
  columns: [
    { key: 'step', label: 'Step', kind: 'text' },
    { key: 'count', label: 'Number', kind: 'count' },
    { key: 'share', label: 'Of the previous step', kind: 'share' },
  ],
  figures: {
    previews: {
      label: 'Previews',
      definition: `Plays by non-subscribers (${PREVIEW_TEXT}s).`,
      unit: 'count',
      isGoodWhen: 'more',
      list: previewPlays,
    },
    checkouts: {
      label: 'Checkouts',
      definition: 'Checkouts started in this period.',
      unit: 'count',
      isGoodWhen: 'more',
      list: startedCheckouts,
    },
    paid: {
      label: 'Paid',
      definition: 'Of those, how many were paid.',
      unit: 'count',
      isGoodWhen: 'more',
      list: paidCheckouts,
    },
  },
  compares: 'figures',
  async read(context, range) {
    const days = await listSiteDays(context.db, range);
    const previews = sumOf(days, (day) => day.plays - day.subscriber_plays);
    const { started, paid } = await sumCheckouts(context, range);
    return {
      values: { previews, checkouts: started, paid },
      rows: [
        row(['Preview', previews, null]),
        row(['Checkout', started, shareOf(started, previews)]),
        row(['Paid', paid, shareOf(paid, started)]),
      ],
    };
  },
};
