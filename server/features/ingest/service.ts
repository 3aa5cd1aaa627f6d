import type { Db } from '../../db/connect.ts';
import type { TrackFilesTable, TracksTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import { newId } from '../../ids.ts';
import { ingestTrack, retagTrack } from './jobs.ts';
import { findTrack, forgetStage, forgetStages, updateTrack } from './queries.ts';
import { findStale } from './download-tags.ts';

/** A key for a master that is about to be stored; its ingest is known by the same name. */
export function newMaster(extension: string, now: number): { ingestId: string; masterKey: string } {
  const ingestId = newId(now);
  return { ingestId, masterKey: `masters/${ingestId}.${extension}` };
}

type NewIngest = { trackId: string; ingestId: string; masterKey: string; now: number };

/**
 * In the caller's transaction: the track has its new master and the work is asked for, or neither.
 * A track that can be heard stays as it is until the new sound can take its place.
 */
export async function beginIngest(tx: Db, { trackId, ingestId, masterKey, now }: NewIngest) {
  const before = await findTrack(tx, trackId);
  const isHeard = before?.status === 'ready';
  await forgetStages(tx, trackId);
  await updateTrack(tx, trackId, {
    master_key: masterKey,
    ...(!isHeard && { status: 'processing' as const }),
    progress: 0,
    failure: null,
    updated_at: now,
  });
  const replaced =
    isHeard && before.master_key && before.master_key !== masterKey
      ? { key: before.master_key, sha256: before.master_sha256 }
      : null;
  await enqueue(tx, ingestTrack, { trackId, ingestId, ...(replaced && { replaced }) }, { now });
}

/** The name that a master gives to everything made of it. */
const ingestIdOf = (masterKey: string): string => /^masters\/([^./]+)\./.exec(masterKey)?.[1] ?? '';

/** In the caller's transaction: everything is made again from the master that is there. */
export const repeatIngest = (
  tx: Db,
  { trackId, masterKey, now }: { trackId: string; masterKey: string; now: number },
) => beginIngest(tx, { trackId, ingestId: ingestIdOf(masterKey), masterKey, now });

/** In the caller's transaction, after the place of a preview was chosen: only that is cut again. */
export async function recutPreview(
  tx: Db,
  { trackId, masterKey, now }: { trackId: string; masterKey: string; now: number },
) {
  await forgetStage(tx, trackId, 'preview');
  const ingestId = ingestIdOf(masterKey);
  await enqueue(tx, ingestTrack, { trackId, ingestId }, { now });
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
