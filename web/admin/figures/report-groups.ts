import type { ReportName } from '#contract/admin/reports.ts';

type Group = { label: string; reports: readonly { name: ReportName; label: string }[] };

export const reportGroups: readonly Group[] = [
  {
    label: 'Listening',
    reports: [
      { name: 'plays', label: 'Plays' },
      { name: 'listeners', label: 'Listeners' },
      { name: 'live', label: 'Listening now' },
      { name: 'activity', label: 'When people listen' },
      { name: 'weeks', label: 'Busiest weeks' },
    ],
  },
  {
    label: 'Mixes',
    reports: [
      { name: 'releases', label: 'By release week' },
      { name: 'tracks', label: 'Most-played mixes' },
      { name: 'completion', label: 'Drop-off' },
      { name: 'suspicious-plays', label: 'Left out of the Top 20' },
    ],
  },
  {
    label: 'Visitors',
    reports: [
      { name: 'visits', label: 'Visits' },
      { name: 'searches', label: 'Searches with no result' },
      { name: 'funnel', label: 'Preview to paid' },
    ],
  },
  {
    label: 'Subscribers',
    reports: [
      { name: 'subscribers', label: 'Subscribers' },
      { name: 'churn', label: 'Churn' },
      { name: 'cohorts', label: 'Cohort retention' },
    ],
  },
  {
    label: 'Money',
    reports: [
      { name: 'revenue', label: 'Revenue' },
      { name: 'mrr', label: 'MRR and ARPU' },
    ],
  },
];

const names = new Set<string>(
  reportGroups.flatMap(({ reports }) => reports.map(({ name }) => name)),
);

export const isReportName = (text: string | null): text is ReportName =>
  text !== null && names.has(text);
