import type { Report } from '#contract/reports.ts';
import { CohortPlot } from './cohort-plot.tsx';
import { CurvePlot, WeekPlot } from './column-plot.tsx';
import { DayPlot } from './day-plot.tsx';
import { FunnelPlot } from './funnel-plot.tsx';
import { HeatPlot } from './heat-plot.tsx';
import { RankingPlot } from './ranking-plot.tsx';

/** The rows of a report as it is best seen. */
export function ReportPlot({ report, isCompared }: { report: Report; isCompared: boolean }) {
  switch (report.plot) {
    case 'bars':
    case 'line':
      return <DayPlot report={report} isCompared={isCompared} />;
    case 'week-bars':
      return <WeekPlot report={report} />;
    case 'curve':
      return <CurvePlot report={report} />;
    case 'heat':
      return <HeatPlot report={report} />;
    case 'funnel':
      return <FunnelPlot report={report} />;
    case 'cohorts':
      return <CohortPlot report={report} />;
    case 'ranking':
      return <RankingPlot report={report} />;
  }
}
