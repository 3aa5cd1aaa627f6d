import { dayOf } from '#contract/rules/days.ts';
import type { Db } from '../../db/connect.ts';
import type { EventDaysTable, EventsTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Actor } from '../../http/guards.ts';
import { detailOf, parseBatch, readEvent } from './parse-batch.ts';
import { forgetWaiting, queueForService } from './forward.ts';
import { addToEventDays, forgetUser, insertEvents } from './queries.ts';

export { exportEvents } from './export.ts';

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

/** Keeps the events of a batch that are new, and counts them: both or neither. */
export async function keepBatch(
  { database, clock, config }: Deps,
  actor: Actor | null,
  form: string,
): Promise<void> {
  const facts = { now: clock.now(), userId: actor?.user.id ?? null };
  const events = parseBatch(form).flatMap((raw) => readEvent(raw, facts) ?? []);
  if (events.length === 0) return;
  await database.db.transaction().execute(async (tx) => {
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
