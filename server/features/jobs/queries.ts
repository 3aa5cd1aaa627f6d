import { sql } from 'kysely';
import { MAX_COUNTED, type JobState } from '#contract/admin/jobs.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Db, DialectName, Tx } from '../../db/connect.ts';
import type { JobsTable } from '../../db/types/tables.ts';
import { CursorId, CursorNumber, paginate, type RowPage } from '../../http/route/paginate.ts';

/** Literals, because SQLite uses a partial index only if the query contains its condition. */
const states = {
  running: sql.lit('running' as const),
  waiting: sql.lit('ready' as const),
  failed: sql.lit('dead' as const),
};

/** The next due job first; among failed ones the latest first. */
export function listJobs(db: Db, state: JobState, page: PageQuery): Promise<RowPage<JobsTable>> {
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
        .limit(MAX_COUNTED)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

export const listScheduledJobs = (db: Db, names: readonly string[]) =>
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

export const lockDeadJob = (tx: Tx, dialect: DialectName, id: string) => {
  const query = tx.selectFrom('jobs').selectAll().where('id', '=', id).where('state', '=', 'dead');
  return (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
};

export const deleteJob = (tx: Tx, id: string) =>
  tx.deleteFrom('jobs').where('id', '=', id).execute();

/** Makes a waiting job with this key due now. True if there is one, or one that is running. */
export async function runNow(tx: Tx, uniqueKey: string, now: number): Promise<boolean> {
  const same = await tx
    .selectFrom('jobs')
    .select(['id', 'state'])
    .where('unique_key', '=', uniqueKey)
    .where('state', '<>', sql.lit('dead' as const))
    .executeTakeFirst();
  if (!same) return false;
  await tx
    .updateTable('jobs')
    .set({ run_at: now, updated_at: now })
    .where('id', '=', same.id)
    .where('state', '=', 'ready')
    .execute();
  return true;
}

/** The job gets all its attempts again. */
export const resetJob = (tx: Tx, id: string, now: number) =>
  tx
    .updateTable('jobs')
    .set({ state: 'ready', run_at: now, attempts: 0, interruptions: 0, updated_at: now })
    .where('id', '=', id)
    .execute();

type SubjectIds = {
  tracks: readonly string[];
  users: readonly string[];
  uploads: readonly string[];
};

/** Current names, by id. One query after the other: in a transaction they share a connection. */
export async function loadSubjectNames(db: Db, { tracks, users, uploads }: SubjectIds) {
  const titles =
    tracks.length === 0
      ? []
      : await db
          .selectFrom('tracks')
          .select(['id', 'title as name'])
          .where('id', 'in', tracks)
          .execute();
  const usernames =
    users.length === 0
      ? []
      : await db
          .selectFrom('users')
          .select(['id', 'username as name'])
          .where('id', 'in', users)
          .execute();
  const fileNames =
    uploads.length === 0
      ? []
      : await db
          .selectFrom('uploads')
          .select(['id', 'file_name as name'])
          .where('id', 'in', uploads)
          .execute();
  const byId = (rows: { id: string; name: string }[]) =>
    new Map(rows.map(({ id, name }) => [id, name]));
  return { titles: byId(titles), usernames: byId(usernames), fileNames: byId(fileNames) };
}
