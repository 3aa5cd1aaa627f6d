import { describeClockOffset } from '#contract/admin/clock-offset.ts';
import type { Week } from '#contract/admin/week.ts';
import { MINUTE } from '#contract/rules/time.ts';

/** Of an answer that was long under way, and of a device that nobody sets to the second. */
const TOLERANCE_MS = 10 * MINUTE;

/**
 * The server compares its clock with every other it can ask. With SQLite and without a payment provider
 * there is none, but the administrator’s device has one.
 */
export function compareClocks(deviceNow: number, serverNow: number): Week['attention'] {
  const offset = deviceNow - serverNow;
  if (Math.abs(offset) <= TOLERANCE_MS) return [];
  const text = `This device’s clock is ${describeClockOffset(offset)} the server’s. If the server’s is wrong, so are releases, payments and two-step codes: turn on time synchronisation there.`;
  return [{ kind: 'clock', count: 1, text, href: null }];
}
