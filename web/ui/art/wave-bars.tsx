type WaveBarsProps = {
  /** One value per bar, from 0 to 1. */
  peaks: readonly number[];
  /** The highlighted share, from 0 to 1. */
  played?: number;
  /** Shows the rest dotted instead of dim, because it needs Premium. */
  isLocked?: boolean;
  className?: string;
};

/** A waveform picture, stretched to the available width. */
export function WaveBars({
  peaks,
  played = 1,
  isLocked = false,
  className = 'h-24',
}: WaveBarsProps) {
  const path = peaks.map((peak, i) => `M${i + 0.5} 100v-${(peak * 100).toFixed(1)}`).join('');
  // In units of one bar: at any width a bar is 60% and the gap 40%.
  const shared = { d: path, fill: 'none', strokeWidth: 0.6 } as const;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${peaks.length} 100`}
      preserveAspectRatio="none"
      className={`block w-full overflow-visible ${className}`}
    >
      {played < 1 && (
        <path
          {...shared}
          className="stroke-week-rest"
          {...(isLocked && { strokeDasharray: '2 4' })}
        />
      )}
      <path
        {...shared}
        className="stroke-week"
        style={{ clipPath: `inset(-2px ${(100 - played * 100).toFixed(1)}% -2px 0)` }}
      />
    </svg>
  );
}

/** Made-up peaks that look like a mix: fade in, four long waves, fade out. */
export const samplePeaks = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => {
    const edge = Math.min(1, (i + 1) / 8, (count - i) / 10);
    const wave = 0.6 + 0.14 * Math.sin((i / count) * 25) + 0.1 * Math.sin(i * 1.9);
    return edge * (wave + 0.14 * Math.sin(i * 4.7 + 1));
  });
