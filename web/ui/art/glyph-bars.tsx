const shapes = {
  waiting: [40, 70, 55, 90, 60, 35, 80],
  nothing: [20, 20, 20, 20, 20, 20, 20],
  locked: [30, 60, 100, 60, 30],
  broken: [80, 55, 20, 0, 20, 55, 80],
} as const;

export type Glyph = keyof typeof shapes;

const HEIGHT = 64;
const BAR = 9;
const PITCH = 14;
const STROKE = 1.5;

/** The lowest are a short dash, as in the year: as outlines they would look like missing letters. */
const DASH_SHARE = 20;

/** A small drawing of outlined bars for empty and error states. */
export function GlyphBars({ glyph }: { glyph: Glyph }) {
  const bars = shapes[glyph].map((share, i) => {
    const height = share > DASH_SHARE ? (HEIGHT * share) / 100 - STROKE : share && STROKE;
    return height > 0
      ? `M${i * PITCH + STROKE / 2} ${HEIGHT - STROKE / 2}v-${height.toFixed(1)}h${BAR - STROKE}v${height.toFixed(1)}z`
      : '';
  });
  return (
    <svg
      aria-hidden
      width={bars.length * PITCH - (PITCH - BAR)}
      height={HEIGHT}
      fill="none"
      strokeWidth={STROKE}
      strokeLinejoin="round"
      className="mb-2 block stroke-line-strong"
    >
      <path d={bars.join('')} />
    </svg>
  );
}
