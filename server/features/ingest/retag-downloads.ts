import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../../deps.ts';
import type { RunningJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { withWorkFolder } from '../../jobs/work-folder.ts';
import { fetchToDisk } from '../../ports/storage/storage.ts';
import { DELETE_AFTER_MS, deleteReplacedFile } from './publish-audio.ts';
import {
  buildDownloadKey,
  buildTags,
  findStaleDownloads,
  hashTags,
  parseDownloadKey,
  writeCoverFile,
  type DownloadFile,
} from './download-tags.ts';
import { findTrack, listRenditions, replaceRendition, type IngestTrack } from './queries.ts';

type Retagging = { track: IngestTrack; workDir: string; coverFile: string; signal: AbortSignal };

/** The same audio with the current tags: frames are copied, not encoded again. */
async function retag(
  deps: Deps,
  { track, workDir, coverFile, signal }: Retagging,
  old: DownloadFile,
) {
  const { config, storage, database, clock } = deps;
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
      tags: buildTags(track, config.siteName),
      coverFile,
    },
    { signal },
  );
  if (!encoded) throw new Error('The encoder wrote no file.');
  const { base } = parseDownloadKey(old.key);
  const key = buildDownloadKey(base, old.name, hashTags(track, config.siteName));
  await storage.put(key, createReadStream(encoded.file));
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const isReplaced = await replaceRendition(tx, old, { key, size: encoded.bytes });
    const unused = { trackId: track.id, key: isReplaced ? old.key : key };
    await enqueue(tx, deleteReplacedFile, unused, { now, runAt: now + DELETE_AFTER_MS });
  });
}

/** Brings the downloads of a track up to date with its title, week, genre and cover. Idempotent. */
export async function retagDownloads(
  deps: Deps,
  trackId: string,
  { id: jobId, signal }: Pick<RunningJob, 'id' | 'signal'>,
) {
  const { database, config } = deps;
  const track = await findTrack(database.db, trackId);
  if (!track) return;
  const files = await listRenditions(database.db, trackId);
  const stale = findStaleDownloads(files, track, config.siteName);
  if (stale.length === 0) return;
  await withWorkFolder(deps, jobId, async (workDir) => {
    const coverFile = await writeCoverFile(deps, track, workDir);
    for (const file of stale) await retag(deps, { track, workDir, coverFile, signal }, file);
  });
}
