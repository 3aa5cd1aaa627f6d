import type { Db } from '../../db/connect.ts';
import type { TrackFilesTable, TracksTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import { newId } from '../../ids.ts';
import type { MediaProbe } from '../../ports/media/media.ts';
import { readBegun, writeBegun, type Begun, type Heard } from './current-ingest.ts';
import { ingestTrack, retagTrack } from './jobs.ts';
import type { Held } from './publish-held.ts';
import {
  BEGUN,
  forgetStage,
  forgetStages,
  listHeldStages,
  listStages,
  lockTrack,
  updateTrack,
} from './queries.ts';
import { findStale } from './download-tags.ts';

/** A key for a master that is about to be stored; its ingest is known by the same name. */
export function newMaster(extension: string, now: number): { ingestId: string; masterKey: string } {
  const ingestId = newId(now);
  return { ingestId, masterKey: `masters/${ingestId}.${extension}` };
}

type NewIngest = { trackId: string; ingestId: string; masterKey: string; now: number };

/** What can be heard now; while that is being replaced already, the sound of before that. */
async function findHeard(tx: Db, track: TracksTable): Promise<Heard | undefined> {
  const { heard } = await readBegun(tx, track);
  if (heard || track.status !== 'ready') return heard;
  const stages = await listStages(tx, track.id);
  return { masterKey: track.master_key, sha256: track.master_sha256, stages };
}

/**
 * In the caller's transaction: the track has its new master and the work is asked for, or neither.
 * A track that can be heard stays as it is until everything of the new sound can take its place.
 */
export async function beginIngest(tx: Db, { trackId, ingestId, masterKey, now }: NewIngest) {
  const before = await lockTrack(tx, trackId);
  if (!before) throw new Error(`There is no track ${trackId} to make a sound for.`);
  const heard = await findHeard(tx, before);
  const { foundStartMs } = await readBegun(tx, before);
  await forgetStages(tx, trackId);
  const found = foundStartMs === undefined ? {} : { foundStartMs };
  await writeBegun(tx, trackId, { ingestId, ...found, ...(heard && { heard }) }, now);
  await updateTrack(tx, trackId, {
    master_key: masterKey,
    ...(!heard && { status: 'processing' as const }),
    progress: 0,
    failure: null,
    updated_at: now,
  });
  await enqueue(tx, ingestTrack, { trackId, ingestId }, { now });
}

/** In the caller's transaction: everything is made again from the master that is there. */
export const repeatIngest = (
  tx: Db,
  { trackId, masterKey, now }: { trackId: string; masterKey: string; now: number },
) => beginIngest(tx, { trackId, ingestId: newId(now), masterKey, now });

/** In the caller's transaction, after the place of a preview was chosen: only that is cut again. */
export async function recutPreview(tx: Db, track: TracksTable, now: number) {
  await forgetStage(tx, track.id, 'preview');
  const { ingestId } = await readBegun(tx, track);
  await enqueue(tx, ingestTrack, { trackId: track.id, ingestId }, { now });
}

/** In the caller's transaction, after a change of what stands in a track's downloads. */
export async function requestRetag(
  { config, clock }: Deps,
  tx: Db,
  track: TracksTable,
  files: readonly TrackFilesTable[],
) {
  if (findStale(files, track, config.siteName).length === 0) return;
  const uniqueKey = `retag:${track.id}`;
  await enqueue(tx, retagTrack, { trackId: track.id }, { now: clock.now(), uniqueKey });
}

export type TrackStage = {
  track_id: string;
  stage: string;
  /** Why the picture in the file is not the cover. */
  coverRefusal: string | null;
};

/** For those who watch: the stages that are done, and what was found wrong though the music is fine. */
export async function listTrackStages(db: Db, trackIds: readonly string[]): Promise<TrackStage[]> {
  const rows = await db
    .selectFrom('ingest_stages')
    .selectAll()
    .where('track_id', 'in', trackIds)
    .where('stage', '!=', BEGUN)
    .execute();
  return rows.map(({ track_id, stage, result }) => ({
    track_id,
    stage,
    coverRefusal: readCoverRefusal(stage, result),
  }));
}

function readCoverRefusal(stage: string, result: string): string | null {
  if (stage === 'probe') return (JSON.parse(result) as MediaProbe).coverRefusal?.sentence ?? null;
  if (stage === 'cover') return (JSON.parse(result) as { refusal?: string | null }).refusal ?? null;
  return null;
}

/** Files that belong to a track though no row names them: of the new sound, and the old master. */
export async function listHeldKeys(db: Db): Promise<Set<string>> {
  const rows = await listHeldStages(db);
  const keys = rows.flatMap(({ result }) => {
    const { heard, files = [], key } = JSON.parse(result) as Partial<Begun> & Held;
    return [heard?.masterKey, key, ...files.map((file) => file.key)];
  });
  return new Set(keys.filter((key) => typeof key === 'string'));
}
