import type { Db } from '../../db/connect.ts';
import type { TrackFilesTable, TracksTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import { newId } from '../../ids.ts';
import { ingestTrack, retagTrack } from './jobs.ts';
import { forgetStages, updateTrack } from './queries.ts';
import { findStale } from './download-tags.ts';

/** A key for a master that is about to be stored; its ingest is known by the same name. */
export function newMaster(extension: string, now: number): { ingestId: string; masterKey: string } {
  const ingestId = newId(now);
  return { ingestId, masterKey: `masters/${ingestId}.${extension}` };
}

type NewIngest = { trackId: string; ingestId: string; masterKey: string; now: number };

/** In the caller's transaction: the track has its new master and the work is asked for, or neither. */
export async function beginIngest(tx: Db, { trackId, ingestId, masterKey, now }: NewIngest) {
  await forgetStages(tx, trackId);
  await updateTrack(tx, trackId, {
    master_key: masterKey,
    status: 'processing',
    progress: 0,
    failure: null,
    updated_at: now,
  });
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
