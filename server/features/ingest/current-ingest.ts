import type { Db } from '../../db/connect.ts';
import type { IngestStagesTable } from '../../db/tables.ts';
import { isJobRunning } from '../../jobs/queue.ts';
import {
  BEGUN,
  findStage,
  lockTrack,
  recordStage,
  type IngestTrack,
  type MasteredTrack,
} from './queries.ts';

/** The sound that people hear while another one is made, with everything that is known of it. */
export type Heard = {
  masterKey: string | null;
  sha256: string | null;
  stages: IngestStagesTable[];
};

/** The ingest that a track is in, or that made what it is. */
export type Begun = {
  /** Names the files of this ingest and of no other: a key stands for the same bytes for ever. */
  ingestId: string;
  /** The job at work on it: no other one writes anything down. */
  jobId?: string;
  /** Where a preview was found to begin; a person chose any other place. */
  foundStartMs?: number;
  /** Present while nothing that is made may be seen: it takes this one's place at once. */
  heard?: Heard;
};

/** A master's own name; its first ingest has the same. */
const ingestIdOf = (masterKey: string | null): string =>
  /^masters\/([^./]+)\./.exec(masterKey ?? '')?.[1] ?? '';

export const readBegun = async (
  db: Db,
  { id, master_key }: Pick<IngestTrack, 'id' | 'master_key'>,
): Promise<Begun> =>
  ((await findStage(db, id, BEGUN)) as Begun | undefined) ?? { ingestId: ingestIdOf(master_key) };

export const writeBegun = (tx: Db, trackId: string, begun: Begun, now: number) =>
  recordStage(tx, { trackId, stage: BEGUN, result: begun, now });

/** The track was given another master or begun again: what is made here is of no use any more. */
export class Superseded extends Error {
  override name = 'Superseded';
}

export type Turn = { trackId: string; ingestId: string; jobId: string };
export type Taken = { track: MasteredTrack; begun: Begun };

const hasMaster = (track: IngestTrack | undefined): track is MasteredTrack =>
  typeof track?.master_key === 'string';

/** One run at a time works on a track; `busy` while that is another one. */
export async function takeIngest(
  tx: Db,
  turn: Turn,
  now: number,
): Promise<Taken | 'over' | 'busy'> {
  const track = await lockTrack(tx, turn.trackId);
  if (!hasMaster(track)) return 'over';
  const before = await readBegun(tx, track);
  if (before.ingestId !== turn.ingestId) return 'over';
  const isOthers = before.jobId !== undefined && before.jobId !== turn.jobId;
  if (isOthers && (await isJobRunning(tx, before.jobId ?? ''))) return 'busy';
  const begun = { ...before, jobId: turn.jobId };
  await writeBegun(tx, track.id, begun, now);
  return { track, begun };
}

/** Before anything is written down: throws when the track went on without this run. */
export async function holdIngest(tx: Db, turn: Turn): Promise<Taken> {
  const track = await lockTrack(tx, turn.trackId);
  const begun = track && (await readBegun(tx, track));
  if (!hasMaster(track) || begun?.ingestId !== turn.ingestId || begun.jobId !== turn.jobId)
    throw new Superseded('The track was begun again or is gone.');
  return { track, begun };
}
