import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import type { EventOutboxTable } from '../../db/report-tables.ts';
import type { EventsTable } from '../../db/tables.ts';
import { DAY } from '#contract/rules/time.ts';

type Service = NonNullable<Config['mixpanel']>;

/** The service forgets without a word what is older. */
const OLDEST_MS = 5 * DAY;
/** Of a service that is away for days; the oldest make room. */
export const MOST_WAITING = 100_000;

/** Said of visitor and member by every event already. */
const REDUNDANT = '$identify';

/** The event in the service's words. */
export function writeForService({ id, at, name, user_id, device, properties }: EventsTable) {
  return {
    event: name,
    properties: {
      ...(JSON.parse(properties) as object),
      time: at / 1000,
      // Letters, digits and dashes: what the service drops a second copy by.
      $insert_id: id.replaceAll('_', '-'),
      distinct_id: user_id ?? (device ? `$device:${device}` : ''),
      ...(device && { $device_id: device }),
      ...(user_id && { $user_id: user_id }),
    },
  };
}

/** In the transaction that keeps the events: what was taken is passed on, whatever happens to this process. */
export async function queueForService(tx: Db, events: readonly EventsTable[], now: number) {
  const rows = events
    .filter(({ name }) => name !== REDUNDANT)
    .map((event): EventOutboxTable => ({
      id: event.id,
      queued_at: now,
      user_id: event.user_id,
      body: JSON.stringify(writeForService(event)),
    }));
  if (rows.length === 0) return;
  await tx
    .insertInto('event_outbox')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const listWaiting = (db: Db, limit: number): Promise<EventOutboxTable[]> =>
  db
    .selectFrom('event_outbox')
    .selectAll()
    .orderBy('queued_at')
    .orderBy('id')
    .limit(limit)
    .execute();

export const dropWaiting = (db: Db, ids: readonly string[]) =>
  db.deleteFrom('event_outbox').where('id', 'in', ids).execute();

export const forgetWaiting = (tx: Db, userId: string) =>
  tx.deleteFrom('event_outbox').where('user_id', '=', userId).execute();

/** What is too old for the service, and the oldest of what is too much to keep. */
export async function trimWaiting(db: Db, now: number, most = MOST_WAITING): Promise<void> {
  await db
    .deleteFrom('event_outbox')
    .where('queued_at', '<', now - OLDEST_MS)
    .execute();
  const first = await db
    .selectFrom('event_outbox')
    .select('queued_at')
    .orderBy('queued_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(most)
    .executeTakeFirst();
  if (first)
    await db.deleteFrom('event_outbox').where('queued_at', '<=', first.queued_at).execute();
}

/** `taken`, or `refused` when asking again with the same events can only fail again. */
export type Verdict = 'taken' | 'refused';

const REFUSALS = new Set([400, 413, 422]);

/** Throws where the service may take it later: it is down, slow, or asks for patience. */
export async function sendToService(
  { host, token }: Service,
  bodies: readonly string[],
  signal: AbortSignal,
): Promise<Verdict> {
  const events = bodies.map((body) => {
    const event = JSON.parse(body) as ReturnType<typeof writeForService>;
    return { ...event, properties: { ...event.properties, token } };
  });
  // Our own address says nothing about where anybody listens.
  const response = await fetch(`${host}/track?verbose=1&ip=0`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(events),
    redirect: 'error',
    signal,
  });
  const text = await response.text();
  if (REFUSALS.has(response.status)) return 'refused';
  if (!response.ok) throw new Error(`The analytics service answered ${response.status}.`);
  return /"status"\s*:\s*0/.test(text) ? 'refused' : 'taken';
}
