import { addToRows } from '../../db/add-to-rows.ts';
import type { Db } from '../../db/connect.ts';
import type { AnalyticsArrivalsTable } from '../../db/types/report-tables.ts';
import type { AnalyticsEventsTable } from '../../db/types/tables.ts';
import { exportRows } from '../../db/export-rows.ts';

/** Returns the IDs of the events that are new. */
export async function insertEvents(
  tx: Db,
  events: readonly AnalyticsEventsTable[],
): Promise<Set<string>> {
  const rows = await tx
    .insertInto('analytics_events')
    .values([...events])
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** All networks together. */
const ALL_NETWORKS = '';

/** What has arrived on this day so far, from the network and from all of them. */
export async function findArrivals(db: Db, day: string, network: string) {
  const rows = await db
    .selectFrom('analytics_arrivals')
    .select(['network', 'events', 'bytes'])
    .where('day', '=', day)
    .where('network', 'in', [network, ALL_NETWORKS])
    .execute();
  const find = (name: string) =>
    rows.find((row) => row.network === name) ?? { events: 0, bytes: 0 };
  return { ofNetwork: find(network), ofAll: find(ALL_NETWORKS) };
}

/** The row that all batches share comes last, so that it is locked for the shortest time. */
export async function addArrivals(tx: Db, arrived: AnalyticsArrivalsTable): Promise<void> {
  await addToRows(tx, 'analytics_arrivals', ['day', 'network'], [arrived]);
  const all = { ...arrived, network: ALL_NETWORKS };
  await addToRows(tx, 'analytics_arrivals', ['day', 'network'], [all]);
}

export const anonymizeEvents = (tx: Db, userId: string) =>
  tx
    .updateTable('analytics_events')
    .set({ user_id: null, device: null })
    .where('user_id', '=', userId)
    .execute();

/** The user's own events, oldest first. */
export async function* exportEvents(db: Db, userId: string) {
  const rows = exportRows(
    db
      .selectFrom('analytics_events')
      .select(['id', 'at', 'name', 'device', 'properties'])
      .where('user_id', '=', userId),
    { at: 'at', id: 'id' },
  );
  for await (const { at, name, device, properties } of rows)
    yield { name, happenedAt: at, device, properties: JSON.parse(properties) as object };
}
