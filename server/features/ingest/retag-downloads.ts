import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import type { RunningJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { withWorkFolder } from '../../jobs/work-folder.ts';
import { buildReplayGain } from '../../ports/media/loudness.ts';
import type { Loudness } from '../../ports/media/media.ts';
import { fetchToDisk } from '../../ports/storage/storage.ts';
import { DELETE_AFTER_MS, deleteReplacedFile, type AnalysisResult } from './publish-audio.ts';
import {
  buildDownloadKey,
  buildTags,
  findStaleDownloads,
  hashTags,
  parseDownloadKey,
  writeCoverFile,
  type DownloadFile,
} from './download-tags.ts';
import { listRuns } from './ingest-runs.ts';
import { readLook } from '../look/service.ts';
import {
  findTaggedTrack,
  listRenditions,
  loadStageResults,
  replaceRendition,
  type TaggedTrack,
} from './queries.ts';

type Retagging = {
  track: TaggedTrack;
  loudness: Loudness | undefined;
  workDir: string;
  coverFile: string;
  signal: AbortSignal;
};

/** As the run that made the downloads has measured it. */
async function findLoudness(db: Db, trackId: string): Promise<Loudness | undefined> {
  const active = (await listRuns(db, trackId)).find(({ state }) => state === 'active');
  const results = active && (await loadStageResults(db, active.id));
  return (results?.get('analysis') as AnalysisResult | undefined)?.loudness;
}

/** The same audio with the current tags: frames are copied, not encoded again. */
async function retag(
  deps: Deps,
  { track, loudness, workDir, coverFile, signal }: Retagging,
  old: DownloadFile,
) {
  const { storage, database, clock } = deps;
  const media = await deps.media();
  const file = await fetchToDisk(storage, old.key, join(workDir, `${old.name}-before`));
  const probe = await media.probe(file, { signal });
  const [encoded] = await media.encode(
    {
      master: { file, probe },
      // Not used: copied frames are neither measured nor made louder.
      analysis: {
        durationSeconds: track.duration_ms / 1000,
        loudness: { integrated: -14, truePeak: -1, range: 0, threshold: -24 },
        normalisation: { gainDb: 0, isLimited: false },
      },
      targets: [{ rendition: old.name, to: join(workDir, old.name) }],
      tags: {
        ...buildTags(track, readLook(deps)),
        ...(loudness && { replayGain: buildReplayGain(loudness) }),
      },
      coverFile,
    },
    { signal },
  );
  if (!encoded) throw new Error('The encoder wrote no file.');
  const { base } = parseDownloadKey(old.key);
  const key = buildDownloadKey(base, old.name, hashTags(track, readLook(deps)));
  await storage.put(key, createReadStream(encoded.file));
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const isReplaced = await replaceRendition(tx, old, { key, size: encoded.bytes });
    const unused = { trackId: track.id, key: isReplaced ? old.key : key };
    await enqueue(tx, deleteReplacedFile, unused, { now, runAt: now + DELETE_AFTER_MS });
  });
}

/** Brings the downloads of a track up to date with its title, artists, week, genre, chapters and cover. Idempotent. */
export async function retagDownloads(
  deps: Deps,
  trackId: string,
  { id: jobId, signal }: Pick<RunningJob, 'id' | 'signal'>,
) {
  const { database } = deps;
  const track = await findTaggedTrack(database.db, trackId);
  if (!track) return;
  const files = await listRenditions(database.db, trackId);
  const stale = findStaleDownloads(files, track, readLook(deps));
  if (stale.length === 0) return;
  await withWorkFolder(deps, jobId, async (workDir) => {
    const coverFile = await writeCoverFile(deps, track, workDir);
    const loudness = await findLoudness(database.db, trackId);
    const retagging = { track, loudness, workDir, coverFile, signal };
    for (const file of stale) await retag(deps, retagging, file);
  });
}
