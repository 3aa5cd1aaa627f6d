import { sql } from 'kysely';
import type { PageQuery } from '#contract/paging.ts';
import type { Db } from '../../db/connect.ts';
import type { UploadsTable } from '../../db/types/tables.ts';
import { CursorId, CursorNumber, paginate, type RowPage } from '../../http/route/paginate.ts';

export type UploadRow = UploadsTable;

export const insertUpload = (db: Db, upload: UploadRow) =>
  db.insertInto('uploads').values(upload).execute();

export const findUpload = (db: Db, id: string): Promise<UploadRow | undefined> =>
  db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listUploads = (db: Db, page: PageQuery): Promise<RowPage<UploadRow>> =>
  paginate(db.selectFrom('uploads').selectAll(), page, {
    orderBy: [
      ['created_at', CursorNumber],
      ['id', CursorId],
    ],
  });

/** Only from the given states: another request may have changed the state. */
export const updateUpload = (
  db: Db,
  id: string,
  from: readonly UploadRow['state'][],
  change: Partial<UploadRow>,
) =>
  db
    .updateTable('uploads')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst();

/** An edit by a user increases the version; what the server finds out does not. */
export const editUpload = (db: Db, id: string, version: number, change: Partial<UploadRow>) =>
  db
    .updateTable('uploads')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state', '<>', 'finished')
    .returningAll()
    .executeTakeFirst();

export async function deleteUpload(
  db: Db,
  id: string,
  states: readonly UploadRow['state'][],
): Promise<UploadRow | undefined> {
  return db
    .deleteFrom('uploads')
    .where('id', '=', id)
    .where('state', 'in', states)
    .returningAll()
    .executeTakeFirst();
}

/** A received upload of the same bytes that has no track yet. */
export const findReceivedUpload = (db: Db, sha256: string) =>
  db
    .selectFrom('uploads')
    .select('id')
    .where('sha256', '=', sha256)
    .where('state', '=', 'received')
    .limit(1)
    .executeTakeFirst();

/** The track with the same master. */
export const findTrackBySha256 = (db: Db, sha256: string, exceptId: string | null) =>
  db
    .selectFrom('tracks')
    .select('id')
    .where('master_sha256', '=', sha256)
    .where('deleted_at', 'is', null)
    .$if(exceptId !== null, (query) => query.where('id', '<>', exceptId ?? ''))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** Whether there is a track whose audio can be replaced. */
export const trackExists = async (db: Db, id: string): Promise<boolean> =>
  (await db
    .selectFrom('tracks')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    // A complaint is about the audio that is there.
    .where('taken_down_at', 'is', null)
    .executeTakeFirst()) !== undefined;

/** In the order of their ids, for the sweep. */
export const listUploadsAfter = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db.selectFrom('uploads').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();

/** The given keys that some row uses. */
export async function listUsedKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const values = sql.join(keys);
  const { rows } = await sql<{ key: string }>`
    select master_key as key from tracks where master_key in (${values})
    union select cover_key from tracks where cover_key in (${values})
    union select key from renditions where key in (${values})
    union select cover_key from uploads where cover_key in (${values})
    union select picture_key from artists where picture_key in (${values})
    union select key from upload_parts where key in (${values})`.execute(db);
  return new Set(rows.map((row) => row.key));
}
