import { dayOf } from '#contract/rules/days.ts';
import { addToRows } from '../../db/add-to-rows.ts';
import type { Db } from '../../db/connect.ts';
import { hashForDay } from '../../db/daily-hash.ts';
import type { AnalyticsDaysTable, AnalyticsEventsTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { hasRoomOnDisk } from '../../ports/storage/disk-space.ts';
import { toRateLimitAddress } from '../../http/route/address.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { detailOf, parseBatch, parseEvent } from './parse-batch.ts';
import { deleteQueuedOfUser, queueForMixpanel } from './mixpanel-queue.ts';
import { addArrivals, anonymizeEvents, findArrivals, insertEvents } from './queries.ts';

export { exportEvents } from './queries.ts';

/** Always in the same order, so that two batches can’t deadlock. */
function countDays(
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

const MB = 1024 ** 2;
/** Far more than real visitors send: floods can't fill the disk. */
export const LIMITS = {
  /** Hundreds of people can share an address. */
  bytesPerAddress: 8 * MB,
  bytesPerDay: 128 * MB,
  eventsPerDay: 500_000,
};
type Limits = typeof LIMITS;

/** About what a row takes besides its texts, with its places in the indexes. */
const ROW_BYTES = 250;

const sizeOf = ({ name, device, properties }: AnalyticsEventsTable): number =>
  ROW_BYTES + name.length + (device?.length ?? 0) + Buffer.byteLength(properties);

type Arrival = { day: string; network: string; events: number; bytes: number };

/** Why the events can't be stored today, by the server's clock; null if they can. */
async function findRefusal(
  { database, log }: Deps,
  { day, network, events, bytes }: Arrival,
  { bytesPerAddress, bytesPerDay, eventsPerDay }: Limits,
): Promise<string | null> {
  const { ofNetwork, ofAll } = await findArrivals(database.db, day, network);
  const isFull = (sum: typeof ofAll) => sum.events >= eventsPerDay || sum.bytes >= bytesPerDay;
  if (isFull(ofAll)) return 'The site stores no more events today.';
  if (isFull({ events: ofAll.events + events, bytes: ofAll.bytes + bytes }))
    log.warn(
      { day },
      'The daily limit of analytics events is reached; further events are dropped.',
    );
  return ofNetwork.bytes >= bytesPerAddress
    ? 'Too many events have come from this network today.'
    : null;
}

/**
 * Stores the new events of a batch and adds them to the daily totals, in one transaction. Returns why
 * not, if they weren't stored.
 */
export async function storeBatch(
  deps: Deps,
  viewer: Viewer | null,
  { form, address }: { form: string; address: string },
  limits: Limits = LIMITS,
): Promise<string | null> {
  const { database, clock, config } = deps;
  const context = { now: clock.now(), userId: viewer?.user.id ?? null };
  const events = parseBatch(form).flatMap((raw) => parseEvent(raw, context) ?? []);
  if (events.length === 0) return null;
  if (!(await hasRoomOnDisk(deps))) return 'The server’s disk is nearly full.';
  const day = dayOf(context.now, config.timeZone);
  const [network = ''] = await hashForDay(database.db, day, [toRateLimitAddress(address)]);
  const bytes = events.reduce((sum, event) => sum + sizeOf(event), 0);
  const arrival = { day, network, events: events.length, bytes };
  const refusal = await findRefusal(deps, arrival, limits);
  if (refusal !== null) return refusal;
  await database.db.transaction().execute(async (tx) => {
    const fresh = await insertEvents(tx, events);
    const counted = events.filter(({ id }) => fresh.delete(id));
    if (counted.length > 0) {
      const days = countDays(counted, config.timeZone);
      await addToRows(tx, 'analytics_days', ['day', 'name', 'detail'], days);
      const { mixpanel } = config;
      if (mixpanel && !mixpanel.isInstead) await queueForMixpanel(tx, counted, context.now);
    }
    await addArrivals(tx, arrival);
  });
  return null;
}

/** The events and totals stay; who they belong to is deleted. */
export const anonymiseUserEvents = async (tx: Db, userId: string): Promise<void> => {
  await anonymizeEvents(tx, userId);
  await deleteQueuedOfUser(tx, userId);
};
