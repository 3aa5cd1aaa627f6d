import { DAY } from './time.ts';

/** A payment that is late by a weekend or a bank holiday does not interrupt the music. A setting may say otherwise. */
export const GRACE_MS = 3 * DAY;

/** Premium access follows from what was paid for, and from nothing else. */
export const hasAccess = (paidThrough: number | null, now: number, graceMs: number): boolean =>
  paidThrough !== null && now < paidThrough + graceMs;
