import { dayOf } from '#contract/rules/days.ts';
import { addToRows } from '../../db/add-to-rows.ts';
import type { Db } from '../../db/connect.ts';
import type { AnalyticsDaysTable, AnalyticsEventsTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import { detailOf, parseBatch, parseEvent } from './parse-batch.ts';
import { deleteQueuedOfUser, queueForMixpanel } from './mixpanel-queue.ts';
import { anonymizeEvents, insertEvents, sumAnalyticsDays } from './queries.ts';

export { exportEvents } from './queries.ts';

/** Always in the same order, so that two batches can’t deadlock. */
export function countDays(
  events: readonly AnalyticsEventsTable[],
  timeZone: string,
): AnalyticsDaysTable[] {
  const counts = new Map<string, AnalyticsDaysTable>();
  for (const event of events) {
    const day = dayOf(event.at, timeZone);
    const detail = detailOf(event);
    const key = [day, event.name, detail].join('\n');
    const count = counts.get(key) ?? { day, name: event.name, detail, events: 0 };
    counts.set(key, { ...count, events: count.events + 1 });
  }
  return [...counts.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day);
}

/** Far more than real visitors send: a flood from many addresses can’t fill the disk. */
export const MAX_EVENTS_PER_DAY = 500_000;

/** Drops events of days that have reached the limit. */
async function dropOverflow(
  tx: Db,
  { config, log }: Deps,
  events: AnalyticsEventsTable[],
  most: number,
) {
  const dayOfEvent = ({ at }: AnalyticsEventsTable) => dayOf(at, config.timeZone);
  const byDay = Map.groupBy(events, dayOfEvent);
  const sums = await sumAnalyticsDays(tx, [...byDay.keys()]);
  return [...byDay].flatMap(([day, own]) => {
    const sum = sums.get(day) ?? 0;
    if (sum >= most) return [];
    if (sum + own.length >= most)
      log.warn(
        { day, most },
        'The daily limit of analytics events is reached; further events are dropped.',
      );
    return own;
  });
}

/** Stores the new events of a batch and adds them to the daily totals, in one transaction. */
export async function storeBatch(
  deps: Deps,
  viewer: Viewer | null,
  form: string,
  most = MAX_EVENTS_PER_DAY,
): Promise<void> {
  const { database, clock, config } = deps;
  const context = { now: clock.now(), userId: viewer?.user.id ?? null };
  const parsed = parseBatch(form).flatMap((raw) => parseEvent(raw, context) ?? []);
  if (parsed.length === 0) return;
  await database.db.transaction().execute(async (tx) => {
    const events = await dropOverflow(tx, deps, parsed, most);
    if (events.length === 0) return;
    const fresh = await insertEvents(tx, events);
    const counted = events.filter(({ id }) => fresh.delete(id));
    if (counted.length === 0) return;
    const days = countDays(counted, config.timeZone);
    await addToRows(tx, 'analytics_days', ['day', 'name', 'detail'], days);
    const { mixpanel } = config;
    if (mixpanel && !mixpanel.isInstead) await queueForMixpanel(tx, counted, context.now);
  });
}

/** The events and totals stay; who they belong to is deleted. */
export const anonymiseUserEvents = async (tx: Db, userId: string): Promise<void> => {
  await anonymizeEvents(tx, userId);
  await deleteQueuedOfUser(tx, userId);
};
