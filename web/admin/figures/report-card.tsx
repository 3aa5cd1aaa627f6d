import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Figure, Report, ReportName } from '#contract/admin/reports.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { FigureSkeleton } from '#web/ui/panel-skeleton.tsx';
import { WaveformSkeleton } from '#web/ui/skeleton.tsx';
import { type ReportChoice, reportQuery } from './api.ts';
import { FigureTile } from './figure-tile.tsx';
import { ReportPlot } from './report-plot.tsx';

const MAX_BARS = 30;

/** Decorative: the number beside it says the same. */
function SparkBars({ values }: { values: readonly (number | null)[] }) {
  const size = Math.max(1, Math.ceil(values.length / MAX_BARS));
  const bars = Array.from({ length: Math.ceil(values.length / size) }, (_, index) => {
    const part = values.slice(index * size, (index + 1) * size).map((value) => value ?? 0);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
  const most = Math.max(...bars, 0);
  return (
    <div aria-hidden className="flex h-8 items-end gap-[2px]">
      {bars.map((value, index) => (
        <i
          key={index}
          className={`min-w-0 flex-1 rounded-[1.5px] ${value > 0 ? 'bg-text-2' : 'bg-line-strong'}`}
          style={{
            height: value > 0 && most > 0 ? `max(2px, ${(value / most) * 100}%)` : '2px',
          }}
        />
      ))}
    </div>
  );
}

type CardProps = { name: ReportName; choice: ReportChoice };

const addressOf = ({ name, choice }: CardProps): string =>
  `/admin/reports?${new URLSearchParams({ report: name, ...choice })}`;

/** The plot of a report, with a link to the whole report. */
export function ReportCard({ title, name, choice }: CardProps & { title: string }) {
  return (
    <section className="flex min-w-0 flex-col gap-4 bg-surface p-4 @3xl/content:p-[22px]">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-13 font-medium text-text-2">{title}</h2>
        <Link href={addressOf({ name, choice })} className="text-13 text-text-3 hover:text-text">
          View report<span className="sr-only">: {title}</span>
        </Link>
      </div>
      <Loaded
        query={useQuery(reportQuery(name, choice))}
        look="line"
        failed="Couldn’t load this report."
        skeleton={<WaveformSkeleton className="h-60" bars={40} />}
      >
        {(report) =>
          report.rows.length > 0 ? (
            <ReportPlot report={report} isCompared={false} />
          ) : (
            <p className="text-text-3">No data for this period.</p>
          )
        }
      </Loaded>
    </section>
  );
}

const sparkOf = ({ rows, columns }: Report, key: string) => {
  const index = columns.findIndex((column) => column.key === key);
  return index > 0 && columns[0]?.kind === 'day'
    ? rows.map(({ cells }) => cells[index] as number | null)
    : null;
};

type TileProps = CardProps & {
  figure: Figure['key'];
  /** The column of the bars, if its key differs. */
  column?: string;
  against: string;
};

/** One figure of a report, with bars of its history. */
export function ReportTile({ name, choice, figure: key, column = key, against }: TileProps) {
  return (
    <Loaded
      query={useQuery(reportQuery(name, choice))}
      look="line"
      failed="Couldn’t load this report."
      className="bg-surface p-4 @3xl/content:p-[22px]"
      skeleton={
        <div role="status" aria-label="Loading figure" className="grid">
          <FigureSkeleton hasBars hasChange />
        </div>
      }
    >
      {(report) => {
        const spark = sparkOf(report, column);
        const figure = report.figures.find((one) => one.key === key);
        return (
          figure && (
            <FigureTile
              figure={figure}
              against={against}
              href={addressOf({ name, choice })}
              {...(spark && { spark: <SparkBars values={spark} /> })}
            />
          )
        );
      }}
    </Loaded>
  );
}
