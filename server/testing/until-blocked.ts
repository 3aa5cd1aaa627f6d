import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/** On PostgreSQL: resolves when so many transactions wait for a lock of another, or `isOver` says no. */
export async function untilBlocked(db: Db, count: number, isOver = () => false): Promise<void> {
  while (!isOver()) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length >= count) return;
  }
}
