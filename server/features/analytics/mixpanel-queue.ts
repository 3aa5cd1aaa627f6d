import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import type { AnalyticsOutboxTable } from '../../db/types/report-tables.ts';
import type { AnalyticsEventsTable } from '../../db/types/tables.ts';
import { DAY } from '#contract/rules/time.ts';

type MixpanelConfig = NonNullable<Config['mixpanel']>;

/** Mixpanel silently drops older events. */
const MAX_AGE_MS = 5 * DAY;
/** While Mixpanel is down for days, the oldest events are dropped first. */
const MAX_QUEUED = 100_000;

/** Every event already contains the visitor and the user. */
const REDUNDANT = '$identify';

function toMixpanelEvent({ id, at, name, user_id, device, properties }: AnalyticsEventsTable) {
  return {
    event: name,
    properties: {
      ...(JSON.parse(properties) as object),
      time: at / 1000,
      // Mixpanel recognises duplicates by this ID: letters, digits and dashes only.
      $insert_id: id.replaceAll('_', '-'),
      distinct_id: user_id ?? (device ? `$device:${device}` : ''),
      ...(device && { $device_id: device }),
      ...(user_id && { $user_id: user_id }),
    },
  };
}

/** Runs in the transaction that stores the events, so a crash loses none of them. */
export async function queueForMixpanel(
  tx: Db,
  events: readonly AnalyticsEventsTable[],
  now: number,
) {
  const rows = events
    .filter(({ name }) => name !== REDUNDANT)
    .map((event): AnalyticsOutboxTable => ({
      id: event.id,
      queued_at: now,
      user_id: event.user_id,
      body: JSON.stringify(toMixpanelEvent(event)),
    }));
  if (rows.length === 0) return;
  await tx
    .insertInto('analytics_outbox')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const listQueued = (db: Db, limit: number): Promise<AnalyticsOutboxTable[]> =>
  db
    .selectFrom('analytics_outbox')
    .selectAll()
    .orderBy('queued_at')
    .orderBy('id')
    .limit(limit)
    .execute();

export const deleteQueued = (db: Db, ids: readonly string[]) =>
  db.deleteFrom('analytics_outbox').where('id', 'in', ids).execute();

export const deleteQueuedOfUser = (tx: Db, userId: string) =>
  tx.deleteFrom('analytics_outbox').where('user_id', '=', userId).execute();

/** Deletes events that are too old for Mixpanel, and the oldest of too many. */
export async function trimQueue(db: Db, now: number, most = MAX_QUEUED): Promise<void> {
  await db
    .deleteFrom('analytics_outbox')
    .where('queued_at', '<', now - MAX_AGE_MS)
    .execute();
  const first = await db
    .selectFrom('analytics_outbox')
    .select('queued_at')
    .orderBy('queued_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(most)
    .executeTakeFirst();
  if (first)
    await db.deleteFrom('analytics_outbox').where('queued_at', '<=', first.queued_at).execute();
}

/** `rejected`: sending the same events again would fail again. */
export type SendResult = 'accepted' | 'rejected';

const REJECTED_STATUS = new Set([400, 413, 422]);

/** Throws if a retry may help: Mixpanel is down, slow or rate-limiting. */
export async function sendToMixpanel(
  { host, token }: MixpanelConfig,
  bodies: readonly string[],
  signal: AbortSignal,
): Promise<SendResult> {
  const events = bodies.map((body) => {
    const event = JSON.parse(body) as ReturnType<typeof toMixpanelEvent>;
    return { ...event, properties: { ...event.properties, token } };
  });
  // The server's own address says nothing about where listeners are.
  const response = await fetch(`${host}/track?verbose=1&ip=0`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(events),
    redirect: 'error',
    signal,
  });
  const text = await response.text();
  if (REJECTED_STATUS.has(response.status)) return 'rejected';
  if (!response.ok) throw new Error(`Mixpanel responded with ${response.status}.`);
  return /"status"\s*:\s*0/.test(text) ? 'rejected' : 'accepted';
}
