import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Figure, Report, ReportName } from '#contract/admin/reports.ts';
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

function CardProblem({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert" className="text-13 text-danger">
      Couldn’t load this report.{' '}
      <button type="button" className="text-text underline underline-offset-4" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}

/** The plot of a report, with a link to the whole report. */
export function ReportCard({ title, name, choice }: CardProps & { title: string }) {
  const { data, error, refetch } = useQuery(reportQuery(name, choice));
  return (
    <section className="flex min-w-0 flex-col gap-4 bg-surface p-4 @3xl/content:p-[22px]">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-13 font-medium text-text-2">{title}</h2>
        <Link href={addressOf({ name, choice })} className="text-13 text-text-3 hover:text-text">
          View report<span className="sr-only">: {title}</span>
        </Link>
      </div>
      {error && !data && <CardProblem onRetry={() => void refetch()} />}
      {!data && !error && <WaveformSkeleton className="h-60" bars={40} />}
      {data &&
        (data.rows.length > 0 ? (
          <ReportPlot report={data} isCompared={false} />
        ) : (
          <p className="text-text-3">No data for this period.</p>
        ))}
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
  const { data, error, refetch } = useQuery(reportQuery(name, choice));
  const figure = data?.figures.find((one) => one.key === key);
  if ((error && !data) || (data && !figure))
    return (
      <div className="bg-surface p-4 @3xl/content:p-[22px]">
        <CardProblem onRetry={() => void refetch()} />
      </div>
    );
  if (!data || !figure)
    return (
      <div role="status" aria-label="Loading figure" className="grid">
        <FigureSkeleton hasBars hasChange />
      </div>
    );
  const spark = sparkOf(data, column);
  return (
    <FigureTile
      figure={figure}
      against={against}
      href={addressOf({ name, choice })}
      {...(spark && { spark: <SparkBars values={spark} /> })}
    />
  );
}
