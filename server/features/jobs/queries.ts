import { sql } from 'kysely';
import { MOST_COUNTED, type JobState } from '#contract/jobs.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Db, DialectName, Tx } from '../../db/connect.ts';
import type { JobsTable } from '../../db/tables.ts';
import { CursorId, CursorNumber, paginate, type Page } from '../../http/paginate.ts';

/** Written as literals: SQLite uses a partial index only for words it can see. */
const states = {
  running: sql.lit('running' as const),
  waiting: sql.lit('ready' as const),
  failed: sql.lit('dead' as const),
};

/** What is due first comes first; what failed last comes first. */
export function listJobs(db: Db, state: JobState, page: PageQuery): Promise<Page<JobsTable>> {
  const column = state === 'failed' ? 'updated_at' : state === 'running' ? 'lease_until' : 'run_at';
  return paginate(db.selectFrom('jobs').selectAll().where('state', '=', states[state]), page, {
    orderBy: [
      [column, CursorNumber],
      ['id', CursorId],
    ],
    direction: state === 'failed' ? 'desc' : 'asc',
  });
}

export async function countJobs(db: Db, state: JobState): Promise<number> {
  const row = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('jobs')
        .select('id')
        .where('state', '=', states[state])
        .limit(MOST_COUNTED)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

export const listPlanned = (db: Db, names: readonly string[]) =>
  names.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('jobs')
        .select(['unique_key', 'state', 'run_at'])
        .where(
          'unique_key',
          'in',
          names.map((name) => `schedule:${name}`),
        )
        .where('state', '<>', sql.lit('dead' as const))
        .execute();

export const listScheduleRuns = (db: Db) => db.selectFrom('schedule_runs').selectAll().execute();

export const lockDead = (tx: Tx, dialect: DialectName, id: string) => {
  const query = tx.selectFrom('jobs').selectAll().where('id', '=', id).where('state', '=', 'dead');
  return (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
};

export const deleteJob = (tx: Tx, id: string) =>
  tx.deleteFrom('jobs').where('id', '=', id).execute();

/** True when the same work is waiting or running already; what waits is then due at once. */
export async function hurryTwin(tx: Tx, uniqueKey: string, now: number): Promise<boolean> {
  const twin = await tx
    .selectFrom('jobs')
    .select(['id', 'state'])
    .where('unique_key', '=', uniqueKey)
    .where('state', '<>', sql.lit('dead' as const))
    .executeTakeFirst();
  if (!twin) return false;
  await tx
    .updateTable('jobs')
    .set({ run_at: now, updated_at: now })
    .where('id', '=', twin.id)
    .where('state', '=', 'ready')
    .execute();
  return true;
}

/** With all its attempts before it again. */
export const reviveJob = (tx: Tx, id: string, now: number) =>
  tx
    .updateTable('jobs')
    .set({ state: 'ready', run_at: now, attempts: 0, updated_at: now })
    .where('id', '=', id)
    .execute();
