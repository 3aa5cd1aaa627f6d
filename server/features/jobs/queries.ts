import { sql } from 'kysely';
import type { JobLane } from '#contract/admin/job-names.ts';
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

export type JobFilter = {
  state: JobState;
  lane?: JobLane | undefined;
  name?: string | undefined;
};

const selectJobs = (db: Db, { state, lane, name }: JobFilter) =>
  db
    .selectFrom('jobs')
    .where('state', '=', states[state])
    .$if(lane !== undefined, (query) => query.where('lane', '=', lane ?? ''))
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''));

/** The next due job first; among failed ones the latest first. */
export function listJobs(db: Db, filter: JobFilter, page: PageQuery): Promise<RowPage<JobsTable>> {
  const { state } = filter;
  const column = state === 'failed' ? 'updated_at' : state === 'running' ? 'lease_until' : 'run_at';
  return paginate(selectJobs(db, filter).selectAll(), page, {
    orderBy: [
      [column, CursorNumber],
      ['id', CursorId],
    ],
    direction: state === 'failed' ? 'desc' : 'asc',
  });
}

export async function countJobs(db: Db, filter: JobFilter): Promise<number> {
  const row = await db
    .selectFrom(selectJobs(db, filter).select('id').limit(MAX_COUNTED).as('some'))
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

/** Null if it doesn’t exist, or runs. */
export const lockIdleJob = (tx: Tx, dialect: DialectName, id: string) => {
  const query = tx
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'running');
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

export const runJobAt = (tx: Tx, id: string, now: number) =>
  tx.updateTable('jobs').set({ run_at: now, updated_at: now }).where('id', '=', id).execute();

export const listPauses = (db: Db) =>
  db
    .selectFrom('job_pauses')
    .leftJoin('users', 'users.id', 'job_pauses.paused_by')
    .select(['target', 'paused_at', 'username'])
    .orderBy('paused_at', 'desc')
    .orderBy('target')
    .execute();

export const addPause = (
  tx: Tx,
  { target, userId, now }: { target: string; userId: string; now: number },
) =>
  tx
    .insertInto('job_pauses')
    .values({ target, paused_at: now, paused_by: userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('target')
    .executeTakeFirst();

export const deletePause = (tx: Tx, target: string) =>
  tx.deleteFrom('job_pauses').where('target', '=', target).returning('target').executeTakeFirst();

/** `column`s of the rows with these ids, under one name. Without ids it asks nothing. */
async function loadNames(
  db: Db,
  [table, column]: ['tracks' | 'letters' | 'uploads' | 'users', string],
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const query = sql<{ id: string; name: string }>`select id, ${sql.ref(column)} as name
    from ${sql.table(table)} where id in (${sql.join(ids)})`;
  const { rows } = await query.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

type SubjectIds = Record<'tracks' | 'users' | 'uploads' | 'letters', readonly string[]>;

/** Current names, by id. One query after the other: in a transaction they share a connection. */
export const loadSubjectNames = async (
  db: Db,
  { tracks, users, uploads, letters }: SubjectIds,
) => ({
  titles: await loadNames(db, ['tracks', 'title'], tracks),
  usernames: await loadNames(db, ['users', 'username'], users),
  fileNames: await loadNames(db, ['uploads', 'file_name'], uploads),
  letters: await loadNames(db, ['letters', 'subject'], letters),
});

type Owned = Record<'clips' | 'references' | 'charges' | 'methods', readonly string[]>;
export type Owner = { userId: string | undefined; trackId?: string };
type OwnerMap = Map<string, Owner>;

const toOwner = ({ user_id }: { user_id: string | null }): Owner => ({
  userId: user_id ?? undefined,
});

async function findPayers(db: Db, { references, charges }: Owned) {
  if (references.length + charges.length === 0) return [];
  return db
    .selectFrom('payments')
    .select(['reference', 'charge_id', 'user_id'])
    .where((where) =>
      where.or([
        where('reference', 'in', [...references, '']),
        where('charge_id', 'in', [...charges, '']),
      ]),
    )
    .execute();
}

/** Whose a clip, a payment, a charge or a card is. */
export async function findOwners(db: Db, owned: Owned) {
  const { clips, methods } = owned;
  const clipRows = await (clips.length === 0
    ? []
    : db
        .selectFrom('clips')
        .select(['id', 'user_id', 'track_id'])
        .where('id', 'in', clips)
        .execute());
  const cards = await (methods.length === 0
    ? []
    : db
        .selectFrom('payment_methods')
        .select(['id', 'user_id'])
        .where('id', 'in', methods)
        .execute());
  const payers = await findPayers(db, owned);
  const clipOwners: OwnerMap = new Map(
    clipRows.map((row) => [row.id, { ...toOwner(row), trackId: row.track_id }]),
  );
  const byReference: OwnerMap = new Map(payers.map((row) => [row.reference, toOwner(row)]));
  const byCharge: OwnerMap = new Map(payers.map((row) => [row.charge_id ?? '', toOwner(row)]));
  byCharge.delete('');
  const byCard: OwnerMap = new Map(cards.map((row) => [row.id, toOwner(row)]));
  return { clips: clipOwners, references: byReference, charges: byCharge, methods: byCard };
}
