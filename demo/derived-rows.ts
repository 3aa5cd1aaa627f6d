import { dayOf, hourOf } from '#contract/rules/days.ts';
import { MINUTE } from '#contract/rules/time.ts';
import { addPlay, NO_PLAYS, type PlayFacts } from '#server/features/achievements/service.ts';
import type {
  PlayFactsTable,
  PlaysTable,
  ProgressTable,
} from '#server/db/types/listening-tables.ts';
import { toPlayFactsRow } from '#server/features/achievements/service.ts';
import { findReach, isTrackFinished } from '#contract/rules/progress.ts';
import type {
  ListenerGapsTable,
  ListenerLastDaysTable,
  ListenerVisitsTable,
  TrackReachTable,
  PlayHoursTable,
  PlayMonthsTable,
  SiteDaysTable,
} from '#server/db/types/report-tables.ts';
import type { DemoTrack } from './catalogue/demo-tracks.ts';
import type { DemoPlay } from './catalogue/demo-plays.ts';

const QUARTER = 15 * MINUTE;

/** Gives the day and hour in a time zone; formats each quarter of an hour once, as that is slow. */
function createSiteClock(timeZone: string) {
  const cache = new Map<number, { day: string; hour: number }>();
  return (at: number) => {
    const quarter = Math.floor(at / QUARTER);
    const found = cache.get(quarter) ?? { day: dayOf(at, timeZone), hour: hourOf(at, timeZone) };
    cache.set(quarter, found);
    return found;
  };
}

/** The achievement facts that these plays would have produced. */
export function sumPlayFacts(
  plays: readonly PlaysTable[],
  catalogue: readonly DemoTrack[],
  timeZone: string,
): PlayFactsTable[] {
  const released = new Map(catalogue.map((track) => [track.id, track.publishedAt]));
  const facts = new Map<string, PlayFacts>();
  for (const { user_id, track_id, listened_at, is_counted } of plays) {
    if (!user_id || !is_counted) continue;
    const play = { at: listened_at, publishedAt: released.get(track_id) ?? null, timeZone };
    facts.set(user_id, addPlay(facts.get(user_id) ?? NO_PLAYS, play));
  }
  return [...facts].map(([userId, sum]) => toPlayFactsRow(userId, sum));
}

/** The progress that the heartbeats of these plays would have saved. */
export function sumProgress(
  history: readonly DemoPlay[],
  catalogue: readonly DemoTrack[],
  timeZone: string,
): ProgressTable[] {
  const durations = new Map(catalogue.map(({ id, duration }) => [id, Math.round(duration * 1000)]));
  const readClock = createSiteClock(timeZone);
  const rows = new Map<string, ProgressTable>();
  for (const play of history.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const key = `${play.listenerId}/${play.trackId}`;
    const earlier = rows.get(key);
    const durationMs = durations.get(play.trackId) ?? 0;
    const positionMs = Math.min(Math.round(play.secondsListened * 1000), durationMs);
    const listenedMs = (earlier?.listened_ms ?? 0) + positionMs;
    const hasFullAccess = play.isSubscriber;
    const listened = { durationMs, positionMs, listenedMs, hasFullAccess };
    const isFinished = earlier?.is_finished === 1 || isTrackFinished(listened);
    const reach = hasFullAccess ? findReach(listened, isFinished) : 0;
    const listenedAt = play.startedAt + Math.round(play.secondsListened * 1000);
    const newDay = hasFullAccess ? readClock(listenedAt).day : null;
    rows.set(key, {
      user_id: play.listenerId,
      track_id: play.trackId,
      position_ms: positionMs,
      listened_ms: listenedMs,
      is_finished: isFinished ? 1 : 0,
      last_listened_at: listenedAt,
      reach: hasFullAccess ? Math.max(reach, earlier?.reach ?? 0) : (earlier?.reach ?? null),
      reach_day: earlier?.reach_day ?? newDay,
    });
  }
  return [...rows.values()];
}

/** One row for each key, created when it is first needed. */
function createRows<R>() {
  const rows = new Map<string, R>();
  const rowOf = (key: string, create: () => R): R => {
    const row = rows.get(key) ?? create();
    rows.set(key, row);
    return row;
  };
  return { rowOf, list: () => [...rows.values()] };
}

/** The report tables that these plays would have filled. */
export function sumRollups(
  plays: readonly PlaysTable[],
  listening: readonly ProgressTable[],
  timeZone: string,
) {
  const readClock = createSiteClock(timeZone);
  const days = createRows<SiteDaysTable>();
  const hours = createRows<PlayHoursTable>();
  const months = createRows<PlayMonthsTable>();
  const lastDays = createRows<ListenerLastDaysTable>();
  const gaps = createRows<ListenerGapsTable>();
  const visits: ListenerVisitsTable[] = [];
  const reach = createRows<TrackReachTable>();

  function countPlay({ listened_at: at, track_id, listener_key, is_subscriber }: PlaysTable) {
    const { day, hour } = readClock(at);
    const month = day.slice(0, 7);
    hours.rowOf(`${day}/${hour}`, () => ({ day, hour, plays: 0 })).plays += 1;
    months.rowOf(`${month}/${track_id}`, () => ({ month, track_id, plays: 0 })).plays += 1;
    const total = days.rowOf(day, () => ({ day, plays: 0, subscriber_plays: 0, listeners: 0 }));
    total.plays += 1;
    total.subscriber_plays += is_subscriber;
    const last = lastDays.rowOf(listener_key, () => ({ listener_key, day: '' }));
    if (last.day >= day) return;
    total.listeners += 1;
    const previous_day = last.day;
    const gap = { day, previous_day, listeners: 0 };
    gaps.rowOf(`${day}/${previous_day}`, () => gap).listeners += 1;
    visits.push({ day, previous_day, listener_key });
    last.day = day;
  }

  const counted = plays.filter((play) => play.is_counted === 1);
  for (const play of counted.toSorted((a, b) => a.listened_at - b.listened_at)) countPlay(play);
  for (const { track_id, reach: percent, reach_day: day } of listening)
    if (percent !== null && day !== null)
      reach.rowOf(`${track_id}/${day}/${percent}`, () => ({
        track_id,
        day,
        reach: percent,
        listeners: 0,
      })).listeners += 1;
  return {
    days: days.list(),
    hours: hours.list(),
    months: months.list(),
    lastDays: lastDays.list(),
    gaps: gaps.list(),
    visits,
    reach: reach.list(),
  };
}
