import type { DayRange } from '#contract/rules/report-days.ts';
import { countCheckouts, listMoneyDays } from './money-queries.ts';
import { toMoments } from './moments.ts';
import { checkoutsBegun, checkoutsPaid, moneyReturned, payments } from './payment-lists.ts';
import { previewPlays } from './preview-list.ts';
import { listSiteDays } from './play-queries.ts';
import { forEachStretch } from './read-parts.ts';
import {
  row,
  rowsOfDays,
  shareOf,
  sumOf,
  type ReportContext,
  type ReportDefinition,
} from './report.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';

export const revenue: ReportDefinition = {
  title: 'Revenue',
  definition:
    'Payments on the day they were made, less what went back on the day it went: refunds, and payments that a bank holds back.',
  plot: 'bars',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'net', label: 'Revenue', kind: 'cents', joins: 'sum' },
    { key: 'charged', label: 'Paid', kind: 'cents', joins: 'sum' },
    { key: 'returned', label: 'Paid back', kind: 'cents', joins: 'sum' },
    { key: 'payments', label: 'Payments', kind: 'count', joins: 'sum' },
  ],
  figures: {
    net: {
      label: 'Revenue',
      definition: 'What was paid in these days less what went back in them.',
      unit: 'cents',
      isGoodWhen: 'more',
    },
    payments: {
      label: 'Payments',
      definition: 'Payments that a payment company confirmed.',
      unit: 'count',
      isGoodWhen: 'more',
      list: payments,
    },
    returned: {
      label: 'Paid back',
      definition: 'Refunds, and payments that a bank holds back.',
      unit: 'cents',
      isGoodWhen: 'less',
      list: moneyReturned,
    },
  },
  compares: 'rows',
  async read({ db }, range) {
    const found = await listMoneyDays(db, range);
    const [charged, returned] = [sumOf(found, (d) => d.charged), sumOf(found, (d) => d.returned)];
    return {
      values: { net: charged - returned, payments: sumOf(found, (d) => d.payments), returned },
      rows: rowsOfDays(
        range,
        found,
        ({ charged: came = 0, returned: went = 0, payments: n = 0 }) => [
          came - went,
          came,
          went,
          n,
        ],
      ),
    };
  },
};

const DAYS_AT_ONCE = 31;

async function sumCheckouts(context: ReportContext, range: DayRange) {
  const sums = { begun: 0, paid: 0 };
  await forEachStretch(range, DAYS_AT_ONCE, async (part) => {
    for (const { state, checkouts } of await countCheckouts(context.db, toMoments(context, part))) {
      sums.begun += checkouts;
      if (state === 'paid') sums.paid += checkouts;
    }
  });
  return sums;
}

export const funnel: ReportDefinition = {
  title: 'Preview to paid',
  definition:
    'Counted plays without Premium, then checkouts begun in these days, then those of them that were paid.',
  plot: 'funnel',
  columns: [
    { key: 'step', label: 'Step', kind: 'text' },
    { key: 'count', label: 'Number', kind: 'count' },
    { key: 'share', label: 'Of the step before', kind: 'share' },
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
      definition: 'Times somebody began to pay in these days.',
      unit: 'count',
      isGoodWhen: 'more',
      list: checkoutsBegun,
    },
    paid: {
      label: 'Paid',
      definition: 'Those of these checkouts that were paid, until now.',
      unit: 'count',
      isGoodWhen: 'more',
      list: checkoutsPaid,
    },
  },
  compares: 'figures',
  async read(context, range) {
    const days = await listSiteDays(context.db, range);
    const previews = sumOf(days, (day) => day.plays - day.subscriber_plays);
    const { begun, paid } = await sumCheckouts(context, range);
    return {
      values: { previews, checkouts: begun, paid },
      rows: [
        row(['Preview', previews, null]),
        row(['Checkout', begun, shareOf(begun, previews)]),
        row(['Paid', paid, shareOf(paid, begun)]),
      ],
    };
  },
};
