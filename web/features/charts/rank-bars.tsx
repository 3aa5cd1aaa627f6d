import { CHART_SIZE } from '#contract/rules/chart.ts';

type RankBarsProps = {
  recent: readonly (number | null)[];
  className?: string;
};

const HEIGHT = 26;
const BAR = 6;
const GAP = 3;

/** Recent ranks as bars: the higher the rank, the taller the bar; a dash where it wasn't on the chart. */
export function RankBars({ recent, className = '' }: RankBarsProps) {
  const ranks = recent.map((rank) => (rank === null ? 'not on the chart' : String(rank)));
  const bars = recent.map((rank, i) => drawBar(i * (BAR + GAP), heightOf(rank)));
  const width = Math.max(0, recent.length * (BAR + GAP) - GAP);
  return (
    <svg
      role="img"
      aria-label={`Last ${recent.length} chart positions: ${ranks.join(', ')}`}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      preserveAspectRatio="none"
      strokeWidth={2 * ROUNDING}
      strokeLinejoin="round"
      className={`block shrink-0 ${className}`}
    >
      <path d={bars.slice(0, -1).join('')} className="fill-week-rest stroke-week-rest" />
      <path d={bars.slice(-1).join('')} className="fill-week stroke-week" />
    </svg>
  );
}

const SHORTEST = 0.14;
const DASH = 2;
const heightOf = (rank: number | null): number =>
  rank === null
    ? DASH
    : HEIGHT * (SHORTEST + ((1 - SHORTEST) * (CHART_SIZE - rank)) / (CHART_SIZE - 1));

/** Of the corners: the stroke around the path has them. */
const ROUNDING = 1;
const drawBar = (x: number, height: number): string =>
  `M${x + ROUNDING} ${HEIGHT - ROUNDING}v${(2 * ROUNDING - height).toFixed(1)}h${BAR - 2 * ROUNDING}V${HEIGHT - ROUNDING}z`;
