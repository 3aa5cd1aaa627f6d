const DAY_SECONDS = 24 * 3600;
/** A track that another deck started a little earlier. */
const EARLIER_SECONDS = 600;

/** `22:15`, `22:15:03.5` or `22.15.03`, in the morning or evening, with or without a time zone. */
const CLOCK =
  /(?:^|[\sT])(\d{1,2})(?::(\d{2})(?::(\d{2}))?(?:\.\d{1,9})?|\.(\d{2})\.(\d{2}))\s?(?:([ap])\.?m\.?)?\s?(?:[A-Z]{1,5})?(?:[+-]\d{1,2}(?::?\d\d)?)?$/i;
/** Longer texts aren't times. */
const MAX_CLOCK = 60;

/** The time of day at the end of a text such as `2026-05-01 22:15:03` or `10:15 PM`, in seconds. */
export function parseClock(text: string): number | null {
  const [, hours, colonMinutes, colonSeconds, dotMinutes, dotSeconds, half] =
    (text.length <= MAX_CLOCK && CLOCK.exec(text.trim())) || [];
  const minutes = Number(colonMinutes ?? dotMinutes);
  const seconds = Number(colonSeconds ?? dotSeconds ?? 0);
  if (hours === undefined || minutes > 59 || seconds > 59) return null;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return hour > 23 ? null : hour * 3600 + minutes * 60 + seconds;
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
