import { addMonths, monthOf } from '#contract/rules/report-days.ts';
import { listCohorts } from './money-queries.ts';
import { payersThat } from './payer-lists.ts';
import { row, shareOf, sumOf, type ReportDefinition } from './report.ts';

const MONTHS = 12;

/** Every member of the cohort has had the day that is asked for. */
const isOver = (cohort: string, month: number, today: string): boolean =>
  monthOf(addMonths(`${cohort}-01`, month)) < monthOf(today);

export const cohorts: ReportDefinition = {
  title: 'Cohort retention',
  definition:
    'People by the month of their first payment: the share that pays on the same date so many months later. A month is shown once it is over for all of them.',
  plot: 'cohorts',
  columns: [
    { key: 'cohort', label: 'First paid', kind: 'month' },
    { key: 'members', label: 'People', kind: 'count' },
    ...Array.from({ length: MONTHS }, (_, index) => ({
      key: `month${index + 1}`,
      label: `Month ${index + 1}`,
      kind: 'share' as const,
    })),
  ],
  figures: {
    members: {
      label: 'First payments',
      definition: 'People whose first payment was in the months of these days.',
      unit: 'count',
      isGoodWhen: 'more',
      list: payersThat.paidFirst,
    },
    month1: {
      label: 'Stayed a month',
      definition: 'The share of all of them, where that is over, that paid a month later.',
      unit: 'share',
      isGoodWhen: 'more',
    },
  },
  compares: 'figures',
  async read({ db, today }, range) {
    const cells = await listCohorts(db, { from: monthOf(range.from), to: monthOf(range.to) });
    const byCohort = Map.groupBy(cells, ({ cohort }) => cohort);
    const found = [...byCohort].map(([cohort, months]) => {
      const paying = (month: number) => months.find((cell) => cell.month === month)?.members ?? 0;
      return { cohort, paying, members: paying(0), hasMonth: isOver(cohort, 1, today) };
    });
    const known = found.filter(({ members }) => members > 0);
    const whole = known.filter(({ hasMonth }) => hasMonth);
    return {
      values: {
        members: sumOf(known, ({ members }) => members),
        month1: shareOf(
          sumOf(whole, ({ paying }) => paying(1)),
          sumOf(whole, ({ members }) => members),
        ),
      },
      rows: known.map(({ cohort, members, paying }) =>
        row([
          cohort,
          members,
          ...Array.from({ length: MONTHS }, (_, index) =>
            isOver(cohort, index + 1, today) ? paying(index + 1) / members : null,
          ),
        ]),
      ),
    };
  },
};
