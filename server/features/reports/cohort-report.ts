import { addMonths, monthOf } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { type ReportDefinition, row, shareOf, sumOf } from './report.ts';
import { subscriberLists } from './subscriber-lists.ts';

const listCohorts = (db: Db, { from, to }: { from: string; to: string }) =>
  db
    .selectFrom('cohort_months')
    .selectAll()
    .where('cohort', '>=', from)
    .where('cohort', '<=', to)
    .orderBy('cohort')
    .orderBy('month')
    .execute();

const MONTHS = 12;

/** Whether this month after the first payment is complete for every subscriber of the cohort. */
const isComplete = (cohort: string, month: number, today: string): boolean =>
  monthOf(addMonths(`${cohort}-01`, month)) < monthOf(today);

export const cohorts: ReportDefinition = {
  title: 'Cohort retention',
  definition:
    'Subscribers by the month of their first payment, and the share still paying each month after. Months appear once complete.',
  plot: 'cohorts',
  columns: [
    { key: 'cohort', label: 'Joined', kind: 'month' },
    { key: 'subscribers', label: 'Subscribers', kind: 'count' },
    ...Array.from({ length: MONTHS }, (_, index) => ({
      key: `month${index + 1}`,
      label: `Month ${index + 1}`,
      kind: 'share' as const,
    })),
  ],
  figures: {
    subscribers: {
      label: 'First payments',
      definition: 'Subscribers whose first payment was in the months of this period.',
      unit: 'count',
      isGoodWhen: 'more',
      list: subscriberLists.paidFirst,
    },
    month1: {
      label: 'Month-1 retention',
      definition:
        'Share still paying after one month, of the cohorts where that month is complete.',
      unit: 'share',
      isGoodWhen: 'more',
    },
  },
  compares: 'figures',
  async read({ db, today }, range) {
    const cells = await listCohorts(db, { from: monthOf(range.from), to: monthOf(range.to) });
    const byCohort = Map.groupBy(cells, ({ cohort }) => cohort);
    const found = [...byCohort].map(([cohort, months]) => {
      const paying = (month: number) =>
        months.find((cell) => cell.month === month)?.subscribers ?? 0;
      return { cohort, paying, subscribers: paying(0), hasMonth: isComplete(cohort, 1, today) };
    });
    const known = found.filter(({ subscribers }) => subscribers > 0);
    const complete = known.filter(({ hasMonth }) => hasMonth);
    return {
      values: {
        subscribers: sumOf(known, ({ subscribers }) => subscribers),
        month1: shareOf(
          sumOf(complete, ({ paying }) => paying(1)),
          sumOf(complete, ({ subscribers }) => subscribers),
        ),
      },
      rows: known.map(({ cohort, subscribers, paying }) =>
        row([
          cohort,
          subscribers,
          ...Array.from({ length: MONTHS }, (_, index) =>
            isComplete(cohort, index + 1, today) ? paying(index + 1) / subscribers : null,
          ),
        ]),
      ),
    };
  },
};
