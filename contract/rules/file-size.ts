const UNITS = ['KB', 'MB', 'GB'] as const;

/** `640 KB`, `84 MB`, `1.2 GB`: decimal units. */
export function formatFileSize(bytes: number): string {
  let value = Math.max(0, bytes) / 1000;
  let unit = 0;
  // A value that would round to 1000 becomes 1 of the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${UNITS[unit]}`;
}
