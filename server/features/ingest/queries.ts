import type { ArtistName } from '#contract/artists/artists.ts';
import type { Db } from '../../db/connect.ts';
import type { IngestStagesTable, RenditionsTable, TracksTable } from '../../db/types/tables.ts';
import { listArtistsOf } from '../../db/track-artists.ts';

export type IngestTrack = TracksTable;

/** With the artists that its downloads name. */
export type TaggedTrack = IngestTrack & { artists: readonly ArtistName[] };

export type MasteredTrack = IngestTrack & { master_key: string };

/** Locks the row: no other transaction writes to this track until this one ends. */
export const lockTrack = (tx: Db, id: string): Promise<IngestTrack | undefined> =>
  tx
    .updateTable('tracks')
    .set((eb) => ({ progress: eb.ref('progress') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

const findTrack = (db: Db, id: string): Promise<IngestTrack | undefined> =>
  db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst();

export async function findTaggedTrack(db: Db, id: string): Promise<TaggedTrack | undefined> {
  const track = await findTrack(db, id);
  return track && { ...track, artists: await listArtistsOf(db, id) };
}

export const updateTrack = (db: Db, id: string, change: Partial<IngestTrack>) =>
  db.updateTable('tracks').set(change).where('id', '=', id).execute();

/** Unless the track has a cover: an uploaded one wins over the one in the file. */
export const setMissingCover = (db: Db, id: string, key: string, now: number) =>
  db
    .updateTable('tracks')
    .set({ cover_key: key, updated_at: now })
    .where('id', '=', id)
    .where('cover_key', 'is', null)
    .execute();

export const listStages = (db: Db, runId: string): Promise<IngestStagesTable[]> =>
  db.selectFrom('ingest_stages').selectAll().where('run_id', '=', runId).execute();

/** The results of the finished stages of a run, by stage. */
export async function loadStageResults(db: Db, runId: string): Promise<Map<string, unknown>> {
  const rows = await listStages(db, runId);
  return new Map(rows.map((row) => [row.stage, JSON.parse(row.result) as unknown]));
}

type FinishedStage = { runId: string; stage: string; result: unknown; now: number };

export const saveStage = (tx: Db, { runId, stage, result, now }: FinishedStage) =>
  tx
    .insertInto('ingest_stages')
    .values({ run_id: runId, stage, result: JSON.stringify(result), finished_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['run_id', 'stage'])
        .doUpdateSet({ result: JSON.stringify(result), finished_at: now }),
    )
    .execute();

export const deleteStage = (tx: Db, runId: string, stage: string) =>
  tx.deleteFrom('ingest_stages').where('run_id', '=', runId).where('stage', '=', stage).execute();

export const saveRendition = (tx: Db, file: RenditionsTable) =>
  tx
    .insertInto('renditions')
    .values(file)
    .onConflict((conflict) =>
      conflict
        .columns(['track_id', 'name'])
        .doUpdateSet({ key: file.key, size: file.size, media_type: file.media_type }),
    )
    .execute();

export const listRenditions = (db: Db, trackId: string): Promise<RenditionsTable[]> =>
  db.selectFrom('renditions').selectAll().where('track_id', '=', trackId).execute();

export const deleteRendition = (tx: Db, { track_id, name }: RenditionsTable) =>
  tx.deleteFrom('renditions').where('track_id', '=', track_id).where('name', '=', name).execute();

/** False when another run has replaced the file meanwhile. */
export async function replaceRendition(
  tx: Db,
  old: RenditionsTable,
  change: Pick<RenditionsTable, 'key' | 'size'>,
): Promise<boolean> {
  const row = await tx
    .updateTable('renditions')
    .set(change)
    .where('track_id', '=', old.track_id)
    .where('name', '=', old.name)
    .where('key', '=', old.key)
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

export const savePeaks = (tx: Db, trackId: string, peaks: readonly number[]) => {
  const text = JSON.stringify(peaks.map((peak) => Math.round(peak * 255)));
  return tx
    .insertInto('track_peaks')
    .values({ track_id: trackId, peaks: text })
    .onConflict((conflict) => conflict.column('track_id').doUpdateSet({ peaks: text }))
    .execute();
};
