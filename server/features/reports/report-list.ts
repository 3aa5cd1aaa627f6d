import type { ReportName } from '#contract/admin/reports.ts';
import { activity, weeks } from './activity-reports.ts';
import { cohorts } from './cohort-report.ts';
import { completion } from './completion-report.ts';
import { leaving } from './leaving-report.ts';
import { live } from './live-report.ts';
import { listeners } from './listeners-report.ts';
import { plays } from './plays-report.ts';
import { releases } from './track-reports.ts';
import type { ReportDefinition } from './report.ts';
import { funnel } from './funnel-report.ts';
import { revenue } from './revenue-report.ts';
import { searches } from './search-report.ts';
import { churn, mrr, subscribers } from './subscription-reports.ts';
import { suspiciousPlays } from './suspicious-plays-report.ts';
import { tracks } from './track-reports.ts';
import { visits } from './visit-report.ts';

export const reports: Record<ReportName, ReportDefinition> = {
  plays,
  listeners,
  live,
  releases,
  tracks,
  completion,
  'suspicious-plays': suspiciousPlays,
  activity,
  weeks,
  searches,
  visits,
  subscribers,
  mrr,
  churn,
  leaving,
  cohorts,
  revenue,
  funnel,
};
