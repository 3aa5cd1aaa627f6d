import { useQuery } from '@tanstack/react-query';
import type { Report, ReportName } from '#contract/admin/reports.ts';
import { countDays } from '#contract/rules/report-days.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { formatDate } from '#web/lib/format/format.ts';
import { reportQuery, type ReportChoice } from './api.ts';
import { describePreviousPeriod, FigureTile } from './figure-tile.tsx';
import { ReportSkeleton } from './report-skeleton.tsx';
import { ReportPlot } from './report-plot.tsx';
import { ReportTable } from './rows-table.tsx';

const isEmpty = ({ rows, columns }: Report): boolean =>
  rows.every(({ cells }) =>
    columns.every(({ kind }, index) => !['count', 'cents'].includes(kind) || !cells[index]),
  ) && !rows.some(({ cells }, index) => index > 0 && columns[0]?.kind === 'percent' && cells[1]);

const gridOf: Record<number, string> = {
  1: '@3xl/content:grid-cols-1',
  2: '@3xl/content:grid-cols-2',
  3: '@3xl/content:grid-cols-3',
};

const NothingYet = ({ name }: { name: ReportName }) =>
  name === 'live' ? (
    <EmptyState
      headingLevel={3}
      title="No one is listening right now"
      text="Listeners appear here as soon as they press play."
    />
  ) : (
    <EmptyState
      headingLevel={3}
      title="No data for this period"
      text="Figures appear as soon as there are any. Try another date range."
    />
  );

/** Figures, a plot and the rows behind them. */
export function ReportPanel({
  name,
  choice,
  isCompared,
}: {
  name: ReportName;
  choice: ReportChoice;
  isCompared: boolean;
}) {
  return (
    <Loaded
      query={useQuery(reportQuery(name, choice))}
      failed="Couldn’t load this report."
      skeleton={<ReportSkeleton />}
    >
      {(report) => <LoadedReport name={name} report={report} isCompared={isCompared} />}
    </Loaded>
  );
}

type LoadedReportProps = { name: ReportName; report: Report; isCompared: boolean };

function LoadedReport({ name, report, isCompared }: LoadedReportProps) {
  const against =
    isCompared && report.previousRange ? describePreviousPeriod(countDays(report)) : undefined;
  return (
    <section aria-labelledby="report-title" className="flex flex-col gap-0.5">
      <div className="mb-3">
        <h2 id="report-title" className="type-section">
          {report.title}
        </h2>
        <p className="mt-1 max-w-[72ch] text-13 text-text-3">
          {report.definition}
          {report.previousRange && ` ${formatDate(report.from)} to ${formatDate(report.to)}.`}
        </p>
      </div>
      <div
        className={`grid gap-0.5 @xs/content:grid-cols-2 @xs/content:*:last:odd:col-span-2 @3xl/content:*:last:odd:col-span-1 ${gridOf[report.figures.length] ?? ''}`}
      >
        {report.figures.map((figure) => (
          <FigureTile key={figure.key} figure={figure} {...(against && { against })} />
        ))}
      </div>
      <div className="min-w-0 bg-surface p-4 @3xl/content:p-[22px]">
        {isEmpty(report) ? (
          <NothingYet name={name} />
        ) : (
          <ReportPlot report={report} isCompared={isCompared} />
        )}
      </div>
      {report.rows.length > 0 && <ReportTable report={report} />}
    </section>
  );
}
