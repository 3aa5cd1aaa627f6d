export type Sample = { /** Milliseconds. */ at: number; /** Bytes so far. */ sent: number };

const WINDOW_MS = 10_000;

/** Bytes a second over the last seconds; null until that says anything. */
export function readSpeed(samples: readonly Sample[]): number | null {
  const last = samples.at(-1);
  if (!last) return null;
  const first = samples.find(({ at }) => last.at - at <= WINDOW_MS);
  if (!first || last.at - first.at < 500) return null;
  return Math.max(0, ((last.sent - first.sent) * 1000) / (last.at - first.at));
}

/** `4 min left`, rounded so that it does not jump. */
export function describeTimeLeft(bytes: number, speed: number | null): string | null {
  if (!speed) return null;
  const seconds = bytes / speed;
  if (seconds < 60) return 'less than a minute left';
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min left` : `${Math.round(minutes / 60)} h left`;
}
