import { dayOf } from '#contract/rules/days.ts';
import type { Db } from '../../db/connect.ts';
import type { EventDaysTable, EventsTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import { detailOf, parseBatch, readEvent } from './parse-batch.ts';
import { forgetWaiting, queueForService } from './forward.ts';
import { addToEventDays, forgetUser, insertEvents, sumEventDays } from './queries.ts';

export { exportEvents } from './queries.ts';

/** In one order, so that two batches at the same time never wait for each other in a circle. */
export function countDays(events: readonly EventsTable[], timeZone: string): EventDaysTable[] {
  const counts = new Map<string, EventDaysTable>();
  for (const event of events) {
    const day = dayOf(event.at, timeZone);
    const detail = detailOf(event);
    const key = [day, event.name, detail].join('\n');
    const count = counts.get(key) ?? { day, name: event.name, detail, events: 0 };
    counts.set(key, { ...count, events: count.events + 1 });
  }
  return [...counts.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day);
}

/** More than listeners tell: whoever floods us from many addresses fills a day, and not the disk. */
export const MOST_EVENTS_A_DAY = 500_000;

/** Those whose day is not full yet. */
async function dropOverflow(tx: Db, { config, log }: Deps, events: EventsTable[], most: number) {
  const dayOfEvent = ({ at }: EventsTable) => dayOf(at, config.timeZone);
  const byDay = Map.groupBy(events, dayOfEvent);
  const sums = await sumEventDays(tx, [...byDay.keys()]);
  return [...byDay].flatMap(([day, own]) => {
    const sum = sums.get(day) ?? 0;
    if (sum >= most) return [];
    if (sum + own.length >= most)
      log.warn({ day, most }, 'This day has as many events as are kept; the rest are dropped.');
    return own;
  });
}

/** Keeps the events of a batch that are new, and counts them: both or neither. */
export async function keepBatch(
  deps: Deps,
  viewer: Viewer | null,
  form: string,
  most = MOST_EVENTS_A_DAY,
): Promise<void> {
  const { database, clock, config } = deps;
  const facts = { now: clock.now(), userId: viewer?.user.id ?? null };
  const told = parseBatch(form).flatMap((raw) => readEvent(raw, facts) ?? []);
  if (told.length === 0) return;
  await database.db.transaction().execute(async (tx) => {
    const events = await dropOverflow(tx, deps, told, most);
    if (events.length === 0) return;
    const fresh = await insertEvents(tx, events);
    const counted = events.filter(({ id }) => fresh.delete(id));
    if (counted.length === 0) return;
    await addToEventDays(tx, countDays(counted, config.timeZone));
    const { mixpanel } = config;
    if (mixpanel && !mixpanel.isInstead) await queueForService(tx, counted, facts.now);
  });
}

/** What somebody did stays in the numbers; that it was them does not. */
export const forgetPerson = async (tx: Db, userId: string): Promise<void> => {
  await forgetUser(tx, userId);
  await forgetWaiting(tx, userId);
};
