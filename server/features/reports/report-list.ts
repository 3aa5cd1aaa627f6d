import type { ReportName } from '#contract/reports.ts';
import { activity, weeks } from './activity-reports.ts';
import { cohorts } from './cohort-report.ts';
import { completion } from './completion-report.ts';
import { live } from './live-report.ts';
import { listeners, plays } from './play-reports.ts';
import { releases } from './release-reports.ts';
import type { ReportDefinition } from './report.ts';
import { funnel, revenue } from './revenue-reports.ts';
import { searches } from './search-report.ts';
import { churn, mrr, subscribers } from './subscription-reports.ts';
import { tracks } from './track-report.ts';
import { visits } from './visit-report.ts';

/** Every report there is. */
export const reports: Record<ReportName, ReportDefinition> = {
  plays,
  listeners,
  live,
  releases,
  tracks,
  completion,
  activity,
  weeks,
  searches,
  visits,
  subscribers,
  mrr,
  churn,
  cohorts,
  revenue,
  funnel,
};
