import type { Db } from '../../db/connect.ts';
import type { IngestStagesTable, TrackFilesTable, TracksTable } from '../../db/tables.ts';

export type IngestTrack = TracksTable;

export type MasteredTrack = IngestTrack & { master_key: string };

/** Not a stage: says which ingest the stages beside it belong to. */
export const BEGUN = 'begun';

/** Nobody else writes of this track until the transaction ends. */
export const lockTrack = (tx: Db, id: string): Promise<IngestTrack | undefined> =>
  tx
    .updateTable('tracks')
    .set((eb) => ({ progress: eb.ref('progress') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export const findTrack = (db: Db, id: string): Promise<IngestTrack | undefined> =>
  db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst();

export const listStages = (db: Db, trackId: string): Promise<IngestStagesTable[]> =>
  db.selectFrom('ingest_stages').selectAll().where('track_id', '=', trackId).execute();

export async function listDoneStages(db: Db, trackId: string): Promise<Map<string, unknown>> {
  const rows = await listStages(db, trackId);
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

export async function findStage(db: Db, trackId: string, stage: string): Promise<unknown> {
  const row = await db
    .selectFrom('ingest_stages')
    .select('result')
    .where('track_id', '=', trackId)
    .where('stage', '=', stage)
    .executeTakeFirst();
  return row && (JSON.parse(row.result) as unknown);
}

export async function insertStages(tx: Db, stages: readonly IngestStagesTable[]) {
  if (stages.length > 0)
    await tx
      .insertInto('ingest_stages')
      .values([...stages])
      .execute();
}

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

export const removeFile = (tx: Db, { track_id, kind }: TrackFilesTable) =>
  tx.deleteFrom('track_files').where('track_id', '=', track_id).where('kind', '=', kind).execute();

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

/** Everything that is known of tracks whose new sound nobody may see yet. */
export const listHeldStages = (db: Db): Promise<{ result: string }[]> =>
  db
    .selectFrom('ingest_stages')
    .select('result')
    .where('track_id', 'in', (eb) =>
      eb
        .selectFrom('ingest_stages as begun')
        .select('begun.track_id')
        .where('begun.stage', '=', BEGUN)
        .where('begun.result', 'like', '%"heard":%'),
    )
    .execute();
