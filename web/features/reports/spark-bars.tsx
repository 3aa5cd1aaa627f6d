const MOST_BARS = 30;

/** How it went, in bars: decoration beside a number that says the same. */
export function SparkBars({ values }: { values: readonly (number | null)[] }) {
  const size = Math.max(1, Math.ceil(values.length / MOST_BARS));
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
            height: value > 0 && most > 0 ? `${Math.max(6, (value / most) * 100)}%` : '2px',
          }}
        />
      ))}
    </div>
  );
}
