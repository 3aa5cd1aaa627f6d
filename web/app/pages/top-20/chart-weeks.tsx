import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link } from 'wouter';
import type { Chart } from '#contract/charts.ts';
import { nameWeek } from '#web/features/charts/chart-text.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { iconButtonClass } from '#web/ui/icon-button.tsx';

const hrefOf = (week: string | null) => (week ? `/top-20?week=${week}` : '/top-20');

/** From the chart that moves back through the ones that were kept. */
export function ChartWeeks({ chart, thisYear }: { chart: Chart; thisYear: number }) {
  const { week, previousWeek, nextWeek } = chart;
  if (!week && !previousWeek) return null;
  const name = week ? nameWeek(week, thisYear) : 'the last seven days';
  return (
    <nav aria-label="Charts of other weeks" className="flex items-center gap-1">
      {previousWeek && (
        <Link
          href={hrefOf(previousWeek)}
          aria-label={`Chart of ${nameWeek(previousWeek, thisYear)}`}
          className={iconButtonClass()}
        >
          <ChevronLeft aria-hidden strokeWidth={1.75} />
        </Link>
      )}
      <span className="type-meta first-letter:uppercase">{name}</span>
      {week && (
        <Link
          href={hrefOf(nextWeek)}
          aria-label={nextWeek ? `Chart of ${nameWeek(nextWeek, thisYear)}` : 'The chart now'}
          className={iconButtonClass()}
        >
          <ChevronRight aria-hidden strokeWidth={1.75} />
        </Link>
      )}
      {week && (
        <Link href="/top-20" className={buttonClass({ variant: 'line', className: 'ml-2' })}>
          Now
        </Link>
      )}
    </nav>
  );
}
