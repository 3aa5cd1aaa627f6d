export type Sample = { /** Milliseconds. */ at: number; /** Bytes so far. */ sent: number };

const WINDOW_MS = 10_000;

/** Bytes per second over the last seconds; null until there is enough data. */
export function measureSpeed(samples: readonly Sample[]): number | null {
  const last = samples.at(-1);
  if (!last) return null;
  const first = samples.find(({ at }) => last.at - at <= WINDOW_MS);
  if (!first || last.at - first.at < 500) return null;
  return Math.max(0, ((last.sent - first.sent) * 1000) / (last.at - first.at));
}

/** `4 min left`, rounded so that it stays steady. */
export function describeTimeLeft(bytes: number, speed: number | null): string | null {
  if (!speed) return null;
  const seconds = bytes / speed;
  if (seconds < 60) return 'less than a minute left';
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min left` : `${Math.round(minutes / 60)} h left`;
}

const MB = 1024 * 1024;

/** Small, because the server learns format and tags from the first part. */
export const FIRST_PART_BYTES = MB / 4;
const SHORTEST = MB;
const LONGEST = 256 * MB;
const SECONDS = 8;
const GROWTH = 4;

/**
 * Each part takes some seconds at any speed: a fast connection rarely waits for a response, and a
 * slow one often learns that its bytes are saved.
 */
export function nextPartSize(last: number, bytesPerSecond: number | null): number {
  const wanted = bytesPerSecond === null ? Infinity : bytesPerSecond * SECONDS;
  return Math.round(Math.max(SHORTEST, Math.min(wanted, last * GROWTH, LONGEST)));
}
