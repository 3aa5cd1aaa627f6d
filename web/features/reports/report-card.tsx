import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Figure, Report, ReportName } from '#contract/reports.ts';
import { WaveformSkeleton, Skeleton } from '#web/ui/skeleton.tsx';
import { reportQuery, type ReportChoice } from './api.ts';
import { FigureTile } from './figure-tile.tsx';
import { ReportPlot } from './report-plot.tsx';
import { SparkBars } from './spark-bars.tsx';

type CardProps = { name: ReportName; choice: ReportChoice };

const addressOf = ({ name, choice }: CardProps): string =>
  `/admin/reports?${new URLSearchParams({ report: name, ...choice })}`;

function CardProblem() {
  return <p className="text-13 text-danger">This report could not be read.</p>;
}

/** One report small: its plot, and the way to all of it. */
export function ReportCard({ title, name, choice }: CardProps & { title: string }) {
  const { data, error } = useQuery(reportQuery(name, choice));
  return (
    <section className="flex min-w-0 flex-col gap-4 bg-surface p-4 md:p-[22px]">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-13 font-medium text-text-2">{title}</h2>
        <Link href={addressOf({ name, choice })} className="text-13 text-text-3 hover:text-text">
          Open<span className="sr-only"> {title}</span>
        </Link>
      </div>
      {error && <CardProblem />}
      {!data && !error && <WaveformSkeleton className="h-52" bars={40} />}
      {data &&
        (data.rows.length > 0 ? (
          <ReportPlot report={data} isCompared={false} />
        ) : (
          <p className="text-text-3">Nothing in these days.</p>
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
  /** The column behind the bars, where it has another name. */
  column?: string;
  against: string;
};

/** One figure of a report, and how it went. */
export function ReportTile({ name, choice, figure: key, column = key, against }: TileProps) {
  const { data, error } = useQuery(reportQuery(name, choice));
  const figure = data?.figures.find((one) => one.key === key);
  if (error || (data && !figure))
    return (
      <div className="bg-surface p-4 md:p-[22px]">
        <CardProblem />
      </div>
    );
  if (!data || !figure)
    return (
      <div role="status" aria-label="Reading a figure" className="bg-surface p-4 md:p-[22px]">
        <Skeleton className="mb-4 h-3.5 w-24" />
        <Skeleton className="mb-3 h-11 w-28" />
        <Skeleton className="h-8" />
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
