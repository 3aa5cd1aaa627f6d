import type { Db, Tx } from '../../db/connect.ts';
import type { IngestRunState, RenditionsTable, TracksTable } from '../../db/types/tables.ts';
import { listArtistsOf } from '../../db/track-artists.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import { newId } from '../../db/ids.ts';
import type { MediaProbe } from '../../ports/media/media.ts';
import { readLook } from '../look/service.ts';
import { findStaleDownloads } from './download-tags.ts';
import {
  deleteRuns,
  failRun,
  findCurrentRun,
  insertRun,
  isReplacingAudio,
  pickCurrentRun,
  type IngestRun,
} from './ingest-runs.ts';
import { ingestTrack, retagTrack } from './jobs.ts';
import type { UnpublishedResult } from './publish-audio.ts';
import { deleteStage, lockTrack, updateTrack } from './queries.ts';

/** A key for a master that is about to be stored; its first run has the same id. */
export function createMasterKey(
  extension: string,
  now: number,
): { runId: string; masterKey: string } {
  const runId = newId(now);
  return { runId, masterKey: `masters/${runId}.${extension}` };
}

type PreviousAudio = Pick<
  IngestRun,
  'replaces_audio' | 'previous_master_key' | 'previous_master_sha256'
>;

/** What the track plays now. While that is being replaced, the run that does so knows it. */
function findPreviousAudio(track: TracksTable, current: IngestRun | undefined): PreviousAudio {
  if (current && isReplacingAudio(current)) {
    const { replaces_audio, previous_master_key, previous_master_sha256 } = current;
    return { replaces_audio, previous_master_key, previous_master_sha256 };
  }
  return track.status === 'ready'
    ? {
        replaces_audio: 1,
        previous_master_key: track.master_key,
        previous_master_sha256: track.master_sha256,
      }
    : { replaces_audio: 0, previous_master_key: null, previous_master_sha256: null };
}

type NewRun = { trackId: string; runId: string; masterKey: string; now: number };

const ALL_STATES: readonly IngestRunState[] = ['processing', 'active', 'failed'];

/**
 * In the caller's transaction: the track gets its new master and the job is enqueued, or neither.
 * A playable track stays as it is until all of the new audio can replace it.
 */
export async function startIngest(tx: Db, { trackId, runId, masterKey, now }: NewRun) {
  const track = await lockTrack(tx, trackId);
  if (!track) throw new Error(`Cannot ingest: there is no track ${trackId}.`);
  const current = await findCurrentRun(tx, trackId);
  const previous = findPreviousAudio(track, current);
  const replaced = previous.replaces_audio ? (['processing', 'failed'] as const) : ALL_STATES;
  await deleteRuns(tx, trackId, replaced);
  await insertRun(tx, {
    id: runId,
    track_id: trackId,
    job_id: null,
    state: 'processing',
    ...previous,
    found_preview_start_ms: current?.found_preview_start_ms ?? null,
    created_at: now,
    updated_at: now,
  });
  await updateTrack(tx, trackId, {
    master_key: masterKey,
    ...(!previous.replaces_audio && { status: 'processing' as const }),
    progress: 0,
    failure: null,
    updated_at: now,
  });
  await enqueue(tx, ingestTrack, { trackId, runId }, { now });
}

/** In the caller's transaction: makes everything again from the master that is there. */
export const restartIngest = (
  tx: Db,
  { trackId, masterKey, now }: { trackId: string; masterKey: string; now: number },
) => startIngest(tx, { trackId, runId: newId(now), masterKey, now });

const TAKEN_DOWN = 'The mix was taken down before its new audio was ready. Upload it again.';

/** In the caller's transaction: audio that is being processed doesn't replace that of the track. */
export async function stopReplacement(tx: Tx, trackId: string, now: number) {
  await lockTrack(tx, trackId);
  const run = await findCurrentRun(tx, trackId);
  if (!run || !isReplacingAudio(run)) return;
  await failRun(tx, { trackId, runId: run.id, failure: TAKEN_DOWN, now });
  // The job that works on it ends as soon as it finds that its run is gone.
  await deleteRuns(tx, trackId, ['failed']);
}

/** In the caller's transaction, after the start of the preview was changed: cuts only the preview. */
export async function recutPreview(tx: Db, { id: trackId, master_key }: TracksTable, now: number) {
  const run = await findCurrentRun(tx, trackId);
  if (!run) {
    if (master_key) await restartIngest(tx, { trackId, masterKey: master_key, now });
    return;
  }
  await deleteStage(tx, run.id, 'preview');
  await enqueue(tx, ingestTrack, { trackId, runId: run.id }, { now });
}

/** In the caller's transaction, after a change of the tags that the downloads of a track contain. */
export async function requestRetag(
  deps: Deps,
  tx: Db,
  track: TracksTable,
  files: readonly RenditionsTable[],
) {
  const tagged = { ...track, artists: await listArtistsOf(tx, track.id) };
  if (findStaleDownloads(files, tagged, readLook(deps)).length === 0) return;
  const uniqueKey = `retag:${track.id}`;
  await enqueue(tx, retagTrack, { trackId: track.id }, { now: deps.clock.now(), uniqueKey });
}

export type TrackStage = {
  track_id: string;
  stage: string;
  /** Why the picture in the file is not the cover. */
  coverRefusal: string | null;
};

/** The finished stages of each track's current run, and what was wrong with a cover. */
export async function listTrackStages(db: Db, trackIds: readonly string[]): Promise<TrackStage[]> {
  const rows = await db
    .selectFrom('ingest_stages')
    .innerJoin('ingest_runs', 'ingest_runs.id', 'ingest_stages.run_id')
    .select(['track_id', 'run_id', 'state', 'stage', 'result'])
    .where('track_id', 'in', trackIds)
    .execute();
  const byTrack = Map.groupBy(rows, (row) => row.track_id);
  return [...byTrack.values()].flatMap((ofTrack) => {
    const current = pickCurrentRun(ofTrack);
    return ofTrack
      .filter((row) => row.run_id === current?.run_id)
      .map(({ track_id, stage, result }) => ({
        track_id,
        stage,
        coverRefusal: parseCoverRefusal(stage, result),
      }));
  });
}

function parseCoverRefusal(stage: string, result: string): string | null {
  if (stage === 'probe') return (JSON.parse(result) as MediaProbe).coverRefusal?.sentence ?? null;
  if (stage === 'cover') return (JSON.parse(result) as { refusal?: string | null }).refusal ?? null;
  return null;
}

/** Files that no row of a track names yet, or no longer: of the new audio, and the previous master. */
export async function listUnpublishedKeys(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('ingest_runs')
    .leftJoin('ingest_stages', 'ingest_stages.run_id', 'ingest_runs.id')
    .select(['previous_master_key', 'result'])
    .where('state', '=', 'processing')
    .where('replaces_audio', '=', 1)
    .execute();
  const keys = rows.flatMap(({ previous_master_key, result }) => {
    const { files = [], key } = JSON.parse(result ?? '{}') as UnpublishedResult;
    return [previous_master_key, key, ...files.map((file) => file.key)];
  });
  return new Set(keys.filter((key) => typeof key === 'string'));
}
