import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { EventDaysTable, EventsTable } from '../../db/tables.ts';
import { exportRows } from '../../db/export-rows.ts';

/** Answers the ids of those that were not there yet. */
export async function insertEvents(tx: Db, events: readonly EventsTable[]): Promise<Set<string>> {
  const rows = await tx
    .insertInto('events')
    .values([...events])
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** What each of these days has counted so far: a few rows a day. */
export async function sumEventDays(tx: Db, days: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('event_days')
    .select(['day', sql<number | string>`sum(events)`.as('events')])
    .where('day', 'in', days)
    .groupBy('day')
    .execute();
  return new Map(rows.map(({ day, events }) => [day, Number(events)]));
}

export const addToEventDays = (tx: Db, days: readonly EventDaysTable[]) =>
  tx
    .insertInto('event_days')
    .values([...days])
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'name', 'detail'])
        .doUpdateSet({ events: sql<number>`event_days.events + excluded.events` }),
    )
    .execute();

export const forgetUser = (tx: Db, userId: string) =>
  tx
    .updateTable('events')
    .set({ user_id: null, device: null })
    .where('user_id', '=', userId)
    .execute();

/** The user's own events, oldest first. */
export async function* exportEvents(db: Db, userId: string) {
  const rows = exportRows(
    db
      .selectFrom('events')
      .select(['id', 'at', 'name', 'device', 'properties'])
      .where('user_id', '=', userId),
    { at: 'at', id: 'id' },
  );
  for await (const { at, name, device, properties } of rows)
    yield { name, happenedAt: at, device, properties: JSON.parse(properties) as object };
}
