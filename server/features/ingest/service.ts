import type { Db } from '../../db/connect.ts';
import { enqueue } from '../../jobs/queue.ts';
import { newId } from '../../ids.ts';
import { ingestTrack } from './jobs.ts';
import { forgetStages, updateTrack } from './queries.ts';

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
