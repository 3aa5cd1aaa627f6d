import type {
  ListenerGapsTable,
  ListenerLastDaysTable,
  ListenerVisitsTable,
  TrackReachTable,
  PlayHoursTable,
  PlayMonthsTable,
  SiteDaysTable,
} from '#server/db/report-tables.ts';
import type { ProgressTable, PlaysTable } from '#server/db/listening-tables.ts';
import { createSiteClock } from './site-clock.ts';

/** One row for each key, made when it is first needed. */
function createRows<R>() {
  const rows = new Map<string, R>();
  const rowOf = (key: string, make: () => R): R => {
    const row = rows.get(key) ?? make();
    rows.set(key, row);
    return row;
  };
  return { rowOf, list: () => [...rows.values()] };
}

/** What reports read of these plays, as their heartbeats would have left it. */
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

  function addPlay({ listened_at: at, track_id, listener_key, is_subscriber }: PlaysTable) {
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
  for (const play of counted.toSorted((a, b) => a.listened_at - b.listened_at)) addPlay(play);
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
