import type { Db } from '../../db/connect.ts';
import type { FileKind, TrackFilesTable, TracksTable } from '../../db/tables.ts';

export type IngestTrack = TracksTable;

export const findTrack = (db: Db, id: string): Promise<IngestTrack | undefined> =>
  db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst();

export async function listDoneStages(db: Db, trackId: string): Promise<Map<string, unknown>> {
  const rows = await db
    .selectFrom('ingest_stages')
    .select(['stage', 'result'])
    .where('track_id', '=', trackId)
    .execute();
  return new Map(rows.map((row) => [row.stage, JSON.parse(row.result) as unknown]));
}

type DoneStage = { trackId: string; stage: string; result: unknown; now: number };

export const recordStage = (tx: Db, { trackId, stage, result, now }: DoneStage) =>
  tx
    .insertInto('ingest_stages')
    .values({ track_id: trackId, stage, result: JSON.stringify(result), finished_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['track_id', 'stage'])
        .doUpdateSet({ result: JSON.stringify(result), finished_at: now }),
    )
    .execute();

export const forgetStages = (tx: Db, trackId: string) =>
  tx.deleteFrom('ingest_stages').where('track_id', '=', trackId).execute();

export const saveFile = (tx: Db, file: TrackFilesTable) =>
  tx
    .insertInto('track_files')
    .values(file)
    .onConflict((conflict) =>
      conflict
        .columns(['track_id', 'kind'])
        .doUpdateSet({ key: file.key, size: file.size, media_type: file.media_type }),
    )
    .execute();

export const listFiles = (db: Db, trackId: string): Promise<TrackFilesTable[]> =>
  db.selectFrom('track_files').selectAll().where('track_id', '=', trackId).execute();

/** Unless another ingest has replaced it meanwhile. True when it was done. */
export async function replaceFile(
  tx: Db,
  old: TrackFilesTable,
  change: Pick<TrackFilesTable, 'key' | 'size'>,
): Promise<boolean> {
  const row = await tx
    .updateTable('track_files')
    .set(change)
    .where('track_id', '=', old.track_id)
    .where('kind', '=', old.kind)
    .where('key', '=', old.key)
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

export async function isFileUsed(db: Db, trackId: string, key: string): Promise<boolean> {
  const files = await listFiles(db, trackId);
  return files.some((file) => file.key === key);
}

export const savePeaks = (tx: Db, trackId: string, peaks: readonly number[]) => {
  const text = JSON.stringify(peaks.map((peak) => Math.round(peak * 255)));
  return tx
    .insertInto('track_peaks')
    .values({ track_id: trackId, peaks: text })
    .onConflict((conflict) => conflict.column('track_id').doUpdateSet({ peaks: text }))
    .execute();
};

export const updateTrack = (db: Db, id: string, change: Partial<IngestTrack>) =>
  db.updateTable('tracks').set(change).where('id', '=', id).execute();

/** Unless it has one: what a person uploaded wins over what stands in a file. */
export const giveCover = (db: Db, id: string, key: string, now: number) =>
  db
    .updateTable('tracks')
    .set({ cover_key: key, updated_at: now })
    .where('id', '=', id)
    .where('cover_key', 'is', null)
    .execute();

export const forgetStage = (tx: Db, trackId: string, stage: string) =>
  tx
    .deleteFrom('ingest_stages')
    .where('track_id', '=', trackId)
    .where('stage', '=', stage)
    .execute();

export const listFileKinds = async (db: Db, trackId: string): Promise<FileKind[]> =>
  (await db.selectFrom('track_files').select('kind').where('track_id', '=', trackId).execute()).map(
    (row) => row.kind,
  );
