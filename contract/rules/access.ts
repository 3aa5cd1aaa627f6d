const DAY = 24 * 60 * 60 * 1000;

/** A payment that is late by a weekend or a bank holiday does not interrupt the music. */
export const GRACE_MS = 3 * DAY;

/** Premium access follows from what was paid for, and from nothing else. */
export const hasAccess = (paidThrough: number | null, now: number): boolean =>
  paidThrough !== null && now < paidThrough + GRACE_MS;
