import { weekDays, weekOf, type WeekOfYear } from './weeks.ts';
import { DAY } from './time.ts';

export const CHART_SIZE = 20;
/** Calendar days in the site's time zone. */
export const CHART_DAYS = 7;
/** How many ranks the small bars show, including the current one. */
export const RECENT_CHARTS = 8;
/** A day of a free listener counts a quarter of a subscriber's. */
export const FREE_WEIGHT = 0.25;

export type ListenerDays = { subscriberDays: number; freeDays: number };
export type Candidate = ListenerDays & WeekOfYear & { trackId: string };

/** Quarters are exact in floating point, so ties are real ties. */
export const pointsOf = ({ subscriberDays, freeDays }: ListenerDays): number =>
  subscriberDays + freeDays * FREE_WEIGHT;

/** More points first; ties go to the newer week, then to the newer track. */
const compareCandidates = (a: Candidate, b: Candidate): number =>
  pointsOf(b) - pointsOf(a) ||
  b.year - a.year ||
  b.week - a.week ||
  (a.trackId < b.trackId ? 1 : -1);

export const rankCandidates = (candidates: readonly Candidate[]): Candidate[] =>
  candidates
    .filter((candidate) => pointsOf(candidate) > 0)
    .toSorted(compareCandidates)
    .slice(0, CHART_SIZE);

/** A rank in an earlier chart; `ago` is 1 for the previous one. */
type PastRank = { ago: number; rank: number };

type Standing = {
  /** In the previous chart; null when it did not chart. */
  previousRank: number | null;
  peak: number;
  weeksOnChart: number;
  /** Ranks in the last charts, oldest first, including this one; null where it did not chart. */
  recent: (number | null)[];
};

/** What earlier charts say about a rank. */
export function findStanding(rank: number, past: readonly PastRank[]): Standing {
  const rankAgo = (ago: number) => past.find((entry) => entry.ago === ago)?.rank ?? null;
  const earlier = Array.from({ length: RECENT_CHARTS - 1 }, (_, index) =>
    rankAgo(RECENT_CHARTS - 1 - index),
  );
  return {
    previousRank: rankAgo(1),
    peak: Math.min(rank, ...past.map((entry) => entry.rank)),
    weeksOnChart: past.length + 1,
    recent: [...earlier, rank],
  };
}

const toDay = (midnightUtc: number): string => new Date(midnightUtc).toISOString().slice(0, 10);

/** The calendar days of a week, Monday to Sunday. */
export function daysOfWeek(week: WeekOfYear): { from: string; to: string } {
  const { monday, sunday } = weekDays(week);
  return { from: toDay(monday), to: toDay(sunday) };
}

/** The days of a chart that ends on `day`. */
export const daysUntil = (day: string): { from: string; to: string } => ({
  from: toDay(Date.parse(`${day}T00:00:00Z`) - (CHART_DAYS - 1) * DAY),
  to: day,
});

export const weekAfter = (week: WeekOfYear): WeekOfYear =>
  weekOf(weekDays(week).monday + CHART_DAYS * DAY, 'UTC');

export const isEarlierWeek = (a: WeekOfYear, b: WeekOfYear): boolean =>
  a.year < b.year || (a.year === b.year && a.week < b.week);

/**
 * Who could be the same person again: a visitor's cookie is thrown away as easily as a new account is
 * made. Only that many of them count as distinct listeners, for each network, mix and day.
 */
export type Doubt = 'visitor' | 'new-member' | 'unverified-member';

/** An account counts for itself from this age on. */
export const NEW_MEMBER_MS = 7 * DAY;
/** A household or an office: a /64 of IPv6, a /24 of IPv4. */
export const NETWORK_LISTENERS = 5;
/** A provider gives a customer up to a /48 of IPv6, with 65,536 networks. */
export const WIDE_NETWORK_LISTENERS = 20;

type Member = { createdAt: number; isEmailVerified: boolean };

/** Why this may be no distinct listener; null for a subscriber, who pays for counting, and a known member. */
export function findDoubt(
  { isSubscriber, member }: { isSubscriber: boolean; member: Member | null },
  now: number,
): Doubt | null {
  if (isSubscriber) return null;
  if (!member) return 'visitor';
  if (now - member.createdAt < NEW_MEMBER_MS) return 'new-member';
  return member.isEmailVerified ? null : 'unverified-member';
}
