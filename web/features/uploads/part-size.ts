const MB = 1024 * 1024;

/** Short: when it has arrived, what the file is and says of itself is known. */
export const FIRST_PART_BYTES = MB / 4;
const SHORTEST = MB;
const LONGEST = 256 * MB;
const SECONDS = 8;
const GROWTH = 4;

/**
 * A part takes some seconds, whatever the line: a fast one is not slowed by waiting for answers, a
 * slow one hears often that what it has sent is safe.
 */
export function growPart(last: number, bytesPerSecond: number | null): number {
  const wished = bytesPerSecond === null ? Infinity : bytesPerSecond * SECONDS;
  return Math.round(Math.max(SHORTEST, Math.min(wished, last * GROWTH, LONGEST)));
}
