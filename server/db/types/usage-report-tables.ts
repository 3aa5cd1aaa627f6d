import type { ReportLayout } from '#contract/admin/usage-reports.ts';

/** A report of what was played in a period. A finished one never changes and is never deleted. */
type UsageReportsTable = {
  id: string;
  /** What people call it: the reports count up from 1. */
  number: number;
  /** The form that asked for it: sent twice, it makes one report. */
  request: string;
  /** Days in the site's time zone, both inclusive. */
  from_day: string;
  to_day: string;
  layout: ReportLayout;
  territory: string;
  currency: string;
  /** Cents: what the books said, and what the operator confirmed. */
  revenue_calculated: number;
  revenue_confirmed: number;
  state: 'making' | 'ready' | 'failed';
  made_at: number;
  made_by: string | null;
  /** The last report of the same period and layout when this one was asked for. */
  previous_id: string | null;
  /** The rest is null until it is ready. JSON. */
  totals: string | null;
  file_key: string | null;
  /** What the file was made from, so that it can be made again. */
  snapshot_key: string | null;
  sha256: string | null;
  size: number | null;
};
export type UsageReportRow = UsageReportsTable;

export type UsageReportTables = { usage_reports: UsageReportsTable };
