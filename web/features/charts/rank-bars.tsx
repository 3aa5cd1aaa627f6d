import { CHART_SIZE } from '#contract/rules/chart.ts';

type RankBarsProps = {
  recent: readonly (number | null)[];
  /** Sets the gap and, with `*:`, the width of the bars. */
  className?: string;
};

/** Recent ranks as bars: the higher the rank, the taller the bar; a dash where it wasn't on the chart. */
export function RankBars({ recent, className = 'gap-[3px] *:w-1.5' }: RankBarsProps) {
  const ranks = recent.map((rank) => (rank === null ? 'not on the chart' : String(rank)));
  return (
    <span
      role="img"
      aria-label={`Last ${recent.length} chart positions: ${ranks.join(', ')}`}
      className={`flex h-[26px] items-end ${className}`}
    >
      {recent.map((rank, index) => (
        <i
          key={index}
          className={`rounded-[1px] ${index === recent.length - 1 ? 'bg-week' : 'bg-week-rest'}`}
          style={{ height: rank === null ? 2 : `${heightOf(rank)}%` }}
        />
      ))}
    </span>
  );
}

const SHORTEST = 14;
const heightOf = (rank: number): number =>
  SHORTEST + ((100 - SHORTEST) * (CHART_SIZE - rank)) / (CHART_SIZE - 1);
