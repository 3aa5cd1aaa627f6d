const DAY_SECONDS = 24 * 3600;
/** A track that another deck started a little earlier. */
const EARLIER_SECONDS = 600;

const CLOCK =
  /(?:^|[\sT])(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(?:([ap])\.?m\.?)?(?:Z|[+-]\d\d:?\d\d)?$/i;

/** The time of day at the end of a text such as `2026-05-01 22:15:03` or `10:15 PM`, in seconds. */
export function parseClock(text: string): number | null {
  const [, hours, minutes, seconds = '0', half] = CLOCK.exec(text.trim()) ?? [];
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return hour > 23 ? null : hour * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Counts times of day from the first one, also across midnight. */
export function countFromFirst<T extends { at: number | null }>(entries: readonly T[]): T[] {
  const first = entries.find(({ at }) => at !== null)?.at ?? 0;
  return entries.map((entry) => {
    if (entry.at === null) return entry;
    const seconds = (entry.at - first + DAY_SECONDS) % DAY_SECONDS;
    return { ...entry, at: seconds > DAY_SECONDS - EARLIER_SECONDS ? 0 : seconds };
  });
}
