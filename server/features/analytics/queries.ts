import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { AnalyticsEventsTable } from '../../db/tables.ts';
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

/** How many events each of these days has so far. */
export async function sumAnalyticsDays(
  tx: Db,
  days: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('analytics_days')
    .select(['day', sql<number>`sum(events)`.as('events')])
    .where('day', 'in', days)
    .groupBy('day')
    .execute();
  return new Map(rows.map(({ day, events }) => [day, events]));
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
