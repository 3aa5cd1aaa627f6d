type WaveBarsProps = {
  /** Shares of the height, 0 to 1, one for each bar. */
  peaks: readonly number[];
  /** Share that is lit, 0 to 1. */
  played?: number;
  /** What is not lit is behind the paywall: dotted instead of dim. */
  isLocked?: boolean;
  className?: string;
};

/** A waveform as a picture: bars from a baseline, stretched to the width there is. */
export function WaveBars({
  peaks,
  played = 1,
  isLocked = false,
  className = 'h-24',
}: WaveBarsProps) {
  const path = peaks.map((peak, i) => `M${i + 0.5} 100v-${(peak * 100).toFixed(1)}`).join('');
  // In units of one bar's pitch: at any width a bar is three parts ink and two parts air.
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

/** A mix as one imagines it: in, four long waves, out. */
export const samplePeaks = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => {
    const edge = Math.min(1, (i + 1) / 8, (count - i) / 10);
    const wave = 0.6 + 0.14 * Math.sin((i / count) * 25) + 0.1 * Math.sin(i * 1.9);
    return edge * (wave + 0.14 * Math.sin(i * 4.7 + 1));
  });
