import type { Db, Tx } from '../../db/connect.ts';
import type { IngestRunsTable, IngestRunState } from '../../db/types/tables.ts';
import { isJobRunning } from '../../jobs/queue.ts';
import { publishSignal } from '../live/service.ts';
import { lockTrack, updateTrack, type IngestTrack, type MasteredTrack } from './queries.ts';

export type IngestRun = IngestRunsTable;

/** The current run of a track: a failed one only if none is processing or active. */
const PRECEDENCE: readonly IngestRunState[] = ['processing', 'active', 'failed'];

export const pickCurrentRun = <R extends Pick<IngestRun, 'state'>>(
  runs: readonly R[],
): R | undefined => PRECEDENCE.flatMap((state) => runs.filter((run) => run.state === state))[0];

export const listRuns = (db: Db, trackId: string): Promise<IngestRun[]> =>
  db.selectFrom('ingest_runs').selectAll().where('track_id', '=', trackId).execute();

/** The run that a track is in, or else the one that made its renditions. */
export const findCurrentRun = async (db: Db, trackId: string): Promise<IngestRun | undefined> =>
  pickCurrentRun(await listRuns(db, trackId));

export const insertRun = (tx: Db, run: IngestRun) =>
  tx.insertInto('ingest_runs').values(run).execute();

export const updateRun = (tx: Db, id: string, change: Partial<IngestRun>) =>
  tx.updateTable('ingest_runs').set(change).where('id', '=', id).execute();

/** Their finished stages go with them. */
export const deleteRuns = (tx: Db, trackId: string, states: readonly IngestRunState[]) =>
  tx
    .deleteFrom('ingest_runs')
    .where('track_id', '=', trackId)
    .where('state', 'in', states)
    .execute();

/** Nothing of the run shows yet: the track plays its previous audio. */
export const isReplacingAudio = ({ state, replaces_audio }: IngestRun): boolean =>
  state === 'processing' && replaces_audio === 1;

/** In the transaction that makes the track play the run's renditions. */
export async function activateRun(tx: Db, { id, track_id }: IngestRun, now: number) {
  await tx
    .deleteFrom('ingest_runs')
    .where('track_id', '=', track_id)
    .where('state', '=', 'active')
    .where('id', '!=', id)
    .execute();
  await updateRun(tx, id, { state: 'active', updated_at: now });
}

/** The track has a newer run or is gone: the results of this one are not needed. */
export class RunSuperseded extends Error {
  override name = 'RunSuperseded';
}

export type RunClaim = { trackId: string; runId: string; jobId: string };
export type ClaimedRun = { track: MasteredTrack; run: IngestRun };

const hasMaster = (track: IngestTrack | undefined): track is MasteredTrack =>
  typeof track?.master_key === 'string';

/** One job at a time works on a track; `busy` while that is another one. */
export async function claimRun(
  tx: Db,
  { trackId, runId, jobId }: RunClaim,
  now: number,
): Promise<ClaimedRun | 'superseded' | 'busy'> {
  const track = await lockTrack(tx, trackId);
  const run = track && (await findCurrentRun(tx, trackId));
  if (!hasMaster(track) || run?.id !== runId) return 'superseded';
  const isOtherJob = run.job_id !== null && run.job_id !== jobId;
  if (isOtherJob && (await isJobRunning(tx, run.job_id ?? ''))) return 'busy';
  // A failed run is retried from the page of failed jobs.
  const state = run.state === 'failed' ? ('processing' as const) : run.state;
  const change = { job_id: jobId, state, updated_at: now };
  await updateRun(tx, runId, change);
  return { track, run: { ...run, ...change } };
}

/** Before a result is written: throws unless the job still works on the current run. */
export async function lockRun(tx: Tx, { trackId, runId, jobId }: RunClaim): Promise<ClaimedRun> {
  const track = await lockTrack(tx, trackId);
  const run = track && (await findCurrentRun(tx, trackId));
  if (!hasMaster(track) || run?.id !== runId || run.job_id !== jobId)
    throw new RunSuperseded('The track has a newer run or is gone.');
  return { track, run };
}

type Failure = { trackId: string; runId: string; failure: string; now: number };

/** A track that could be played stays playable, with its own master and the stages of its own run. */
export async function failRun(tx: Db, { trackId, runId, failure, now }: Failure) {
  const track = await lockTrack(tx, trackId);
  const run = track && (await findCurrentRun(tx, trackId));
  if (!track || run?.id !== runId) return;
  if (run.state === 'processing') await updateRun(tx, runId, { state: 'failed', updated_at: now });
  const isReplacement = isReplacingAudio(run);
  if (isReplacement) await tx.deleteFrom('ingest_stages').where('run_id', '=', runId).execute();
  await updateTrack(tx, trackId, {
    ...(isReplacement && {
      master_key: run.previous_master_key,
      master_sha256: run.previous_master_sha256,
    }),
    ...(track.status === 'ready' ? { progress: 100 } : { status: 'failed' as const }),
    failure,
    updated_at: now,
  });
  await publishSignal(tx, 'admin:tracks', now);
}
