/** Every report, in the order and the groups of the page that lists them. */
export const reportGroups = [
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
      { name: 'leaving', label: 'Who left and why' },
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
] as const;

type ReportName = (typeof reportGroups)[number]['reports'][number]['name'];

export const reportNames: readonly ReportName[] = reportGroups.flatMap(({ reports }) =>
  reports.map(({ name }) => name),
);

export const isReportName = (text: string | null): text is ReportName =>
  reportNames.some((name) => name === text);

const REPORTS_FOR_HELPERS: readonly ReportName[] = [
  'plays',
  'activity',
  'weeks',
  'releases',
  'tracks',
  'completion',
];

/** Helpers see how mixes are played: no names, no money, nothing to download. */
export const isReportForHelpers = (name: ReportName): boolean => REPORTS_FOR_HELPERS.includes(name);
