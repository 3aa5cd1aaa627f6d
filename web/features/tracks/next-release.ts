import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  findNextRelease,
  formatCountdown,
  hearsAt,
  type UpcomingRelease,
} from '#contract/rules/next-release.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import { formatDay, formatTime, formatWeekdayName } from '#web/lib/format/format.ts';
import { earlyReleaseQuery } from './api.ts';

/** Timers may be some milliseconds early. */
const LATE_MS = 99;

/**
 * The time by the server’s clock, which counts on from an answer with the time between two looks at this
 * device’s clock: that one may show another day. It changes at most once a minute.
 */
function useServerTime(now: number, receivedAt: number, until: number): number {
  const [seen, setSeen] = useState({ receivedAt, elapsed: 0 });
  const elapsed = seen.receivedAt === receivedAt ? seen.elapsed : 0;
  const time = now + elapsed;
  useEffect(() => {
    if (time >= until) return;
    const real = Date.now() - receivedAt;
    // An answer may have waited in the cache, and a computer may have slept.
    const delay = real - elapsed > MINUTE ? 0 : ((until - now - real) % MINUTE) + LATE_MS;
    const timer = setTimeout(
      () => setSeen({ receivedAt, elapsed: Date.now() - receivedAt }),
      delay,
    );
    return () => clearTimeout(timer);
  }, [time, until, now, receivedAt, elapsed]);
  return time;
}

type Waiting = { isSubscriber: boolean; time: number };

/** When a release comes out for this listener and for the others, in a sentence and in a few words. */
export function describeNextRelease(
  release: UpcomingRelease,
  { isSubscriber, time }: Waiting,
): { text: string; hour: string } {
  const { at, earlyAt } = release;
  const until = hearsAt(release, isSubscriber);
  const dayOf = (each: number) =>
    `${formatWeekdayName(each)}${each - time >= 6 * DAY ? ` ${formatDay(each)}` : ''}`;
  /** The hour too where both come out on one day. */
  const on = (each: number) =>
    `on ${dayOf(each)}${dayOf(at) === dayOf(earlyAt ?? at) ? ` at ${formatTime(each)}` : ''}`;
  const when = `${dayOf(until)} at ${formatTime(until)}`;
  const lead = until < at ? 'You can hear it' : 'Out';
  const others = isSubscriber
    ? until < at && ` Everyone else hears it ${on(at)}.`
    : earlyAt !== null && ` Premium hears it ${earlyAt > time ? on(earlyAt) : 'already'}.`;
  return {
    text: `${lead} ${when}, in ${formatCountdown(until - time)}.${others || ''}`,
    hour: `${lead.toLowerCase()} ${when}`,
  };
}

/** The mix that this listener waits for, in a sentence that counts down; null if none is planned. */
export function useNextRelease(isSubscriber: boolean) {
  const { data, dataUpdatedAt } = useQuery(earlyReleaseQuery);
  const { now = 0, release, upcoming = [] } = data ?? {};
  const early = isSubscriber ? null : release;
  const next = early
    ? { ...early, at: early.publishedAt, earlyAt: null }
    : findNextRelease(upcoming, isSubscriber, now);
  const until = next ? hearsAt(next, isSubscriber) : 0;
  const time = useServerTime(now, dataUpdatedAt, until);
  if (!next) return null;
  const isOut = time >= until;
  const words = describeNextRelease(next, { isSubscriber, time });
  return {
    ...words,
    ...(isOut && { text: 'It’s out.' }),
    year: next.year,
    weekNumber: next.weekNumber,
    /** What subscribers already hear. */
    title: early?.title,
    isOut,
  };
}
