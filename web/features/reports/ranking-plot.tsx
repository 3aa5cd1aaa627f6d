import { Link } from 'wouter';
import type { Report } from '#contract/reports.ts';
import { formatCell } from './format-figure.ts';

const MOST_ROWS = 25;

/** The largest first, each a bar; those of a mix or a week in its colour. */
export function RankingPlot({ report }: { report: Report }) {
  const { columns, rows } = report;
  const numberAt = columns.findIndex(({ kind }) => kind === 'count');
  const weekAt = columns.findIndex(({ kind }) => kind === 'week');
  const column = columns[numberAt];
  const most = Math.max(...rows.map(({ cells }) => Number(cells[numberAt])), 1);
  if (!column) return null;
  return (
    <ol className="flex flex-col">
      {rows.slice(0, MOST_ROWS).map(({ cells, href }, index) => (
        <li
          key={`${String(cells[0])}-${index}`}
          {...(weekAt > 0 && { 'data-week': Number(cells[weekAt]) })}
          className="grid min-h-11 grid-cols-[minmax(0,2fr)_minmax(0,3fr)_4rem] items-center gap-3 border-t border-line first:border-0"
        >
          {href ? (
            <Link href={href} className="truncate py-2.5 font-medium hover:underline">
              {cells[0]}
            </Link>
          ) : (
            <span className="truncate font-medium">{cells[0]}</span>
          )}
          <i
            aria-hidden
            className="h-3 min-w-0.5 bar-solid"
            style={{ width: `${(Number(cells[numberAt]) / most) * 100}%` }}
          />
          <span className="text-right tabular-nums">
            {formatCell(cells[numberAt] ?? null, column)}
          </span>
        </li>
      ))}
    </ol>
  );
}
