import { CHART_SIZE } from '#contract/rules/chart.ts';

type RankBarsProps = { recent: readonly (number | null)[]; className?: string };

/** Ranks of the last charts as bars: the higher the place, the taller; a dash where it had none. */
export function RankBars({ recent, className = '' }: RankBarsProps) {
  const words = recent.map((rank) => (rank === null ? 'not on the chart' : String(rank)));
  return (
    <span
      role="img"
      aria-label={`Places in the last ${recent.length} charts: ${words.join(', ')}`}
      className={`flex h-[26px] items-end gap-[3px] ${className}`}
    >
      {recent.map((rank, index) => (
        <i
          key={index}
          className={`w-[6px] rounded-[1px] ${index === recent.length - 1 ? 'bg-week' : 'bg-week-rest'}`}
          style={{ height: rank === null ? 2 : `${heightOf(rank)}%` }}
        />
      ))}
    </span>
  );
}

const SHORTEST = 14;
const heightOf = (rank: number): number =>
  SHORTEST + ((100 - SHORTEST) * (CHART_SIZE - rank)) / (CHART_SIZE - 1);
