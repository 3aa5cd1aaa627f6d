import { sql } from 'kysely';
import { MINUTE } from '#contract/rules/time.ts';
import type { Database } from './connect.ts';

/** Whoever is charged or told a few minutes early doesn’t mind. */
export const MAX_AHEAD_MS = 10 * MINUTE;
const COMPARE_MS = MINUTE;

type ComparedDatabase = Pick<Database, 'db' | 'dialect'>;

/** How far this machine’s clock is ahead of the database’s; null with SQLite, which has none of its own. */
export async function readClockOffset({ db, dialect }: ComparedDatabase): Promise<number | null> {
  if (dialect === 'sqlite') return null;
  const before = Date.now();
  const { rows } = await sql<{
    now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  const after = Date.now();
  return Math.round((before + after) / 2 - Number(rows[0]?.now));
}

/**
 * This machine’s clock, unless it is more than ten minutes ahead of PostgreSQL’s: then nothing comes out
 * early, no mail says so, and no session ends. It notices a jump at once, because the time since the
 * process started has none, and doesn’t believe it before the database does.
 */
export function createDatabaseClock() {
  let startedAt = Date.now() - performance.now();
  const now = (): number => {
    const [machine, steady] = [Date.now(), startedAt + performance.now()];
    return machine - steady > MAX_AHEAD_MS ? Math.round(steady) : machine;
  };
  async function compare(database: ComparedDatabase): Promise<void> {
    const ahead = (await readClockOffset(database)) ?? 0;
    startedAt = Date.now() - performance.now() - (ahead > MAX_AHEAD_MS ? ahead : 0);
  }
  return {
    now,
    compare,
    /** Compares every minute. Without an answer, what the database said last counts. */
    async watch(database: ComparedDatabase): Promise<() => Promise<void>> {
      let last = compare(database);
      await last;
      const timer = setInterval(() => {
        last = compare(database).catch(() => undefined);
      }, COMPARE_MS).unref();
      return async () => {
        clearInterval(timer);
        await last;
      };
    },
  };
}
