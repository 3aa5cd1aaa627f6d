import { DAY, WEEK } from '#contract/rules/time.ts';

type Day = { name: string; at: number };

const toDate = (at: number) => new Date(at).toISOString();
/** 1 January 1970 was a Thursday. */
const weekOf = (at: number) => String(Math.floor((at + 3 * DAY) / WEEK));

/** The newest backup of each of the last … that have any. */
const RULES: { of: (at: number) => string; last: number }[] = [
  { of: (at) => toDate(at).slice(0, 10), last: 7 },
  { of: weekOf, last: 5 },
  { of: (at) => toDate(at).slice(0, 7), last: 12 },
];

/**
 * Which backups stay: all of the last two days, and the newest of each of the last 7 days, 5 weeks and
 * 12 months, in UTC. Periods without a backup don't count, and the time it is now doesn't matter: a
 * wrong clock, or a summer without backups, removes nothing.
 */
export function findKept(oldestFirst: readonly Day[]): Set<string> {
  const days = oldestFirst.toReversed();
  const kept = new Set<string>();
  for (const { of, last } of RULES) {
    const seen = new Set<string>();
    for (const { name, at } of days) {
      if (!seen.has(of(at)) && seen.size < last) kept.add(name);
      seen.add(of(at));
    }
  }
  const dates = new Set(days.map(({ at }) => toDate(at).slice(0, 10)));
  const recent = new Set([...dates].slice(0, 2));
  for (const { name, at } of days) if (recent.has(toDate(at).slice(0, 10))) kept.add(name);
  return kept;
}
