import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../../deps.ts';
import type { DownloadFormat } from '../../db/tables.ts';
import type { RunningJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Rendition } from '../../ports/media/media.ts';
import {
  describeTags,
  findStale,
  hashTags,
  nameDownload,
  readDownloadKey,
  writeCoverFile,
  type DownloadFile,
} from './download-tags.ts';
import { fetchToDisk } from './fetch-to-disk.ts';
import { findTrack, listFiles, replaceFile, type IngestTrack } from './queries.ts';
import { DROP_AFTER_MS, dropReplacedFile } from './replaced-file.ts';
import { inWorkFolder } from '../../jobs/work-folder.ts';

const renditions: Record<DownloadFormat, Rendition> = { mp3: 'download320', flac: 'flac' };

type Bench = { track: IngestTrack; workDir: string; coverFile: string; signal: AbortSignal };

/** The same sound with the tags of today: frames are copied, not encoded again. */
async function retag(deps: Deps, { track, workDir, coverFile, signal }: Bench, old: DownloadFile) {
  const { config, storage, database, clock } = deps;
  const media = await deps.media();
  const file = await fetchToDisk(deps, old.key, join(workDir, `${old.kind}-before`));
  const probe = await media.probe(file, { signal });
  const [encoded] = await media.encode(
    {
      master: { file, probe },
      // Nothing is measured or made louder where frames are copied.
      analysis: {
        durationSeconds: track.duration_ms / 1000,
        loudness: { integrated: -14, truePeak: -1, range: 0, threshold: -24 },
        normalisation: { gainDb: 0, isLimited: false },
      },
      targets: [{ rendition: renditions[old.kind], to: join(workDir, old.kind) }],
      tags: describeTags(track, config.siteName),
      coverFile,
    },
    { signal },
  );
  if (!encoded) throw new Error('The encoder wrote no file.');
  const { base } = readDownloadKey(old.key);
  const key = nameDownload(base, old.kind, hashTags(track, config.siteName));
  await storage.put(key, createReadStream(encoded.file));
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const isReplaced = await replaceFile(tx, old, { key, size: encoded.bytes });
    const unused = { trackId: track.id, key: isReplaced ? old.key : key };
    await enqueue(tx, dropReplacedFile, unused, { now, runAt: now + DROP_AFTER_MS });
  });
}

/** Brings the downloads of a track up to its title, week, genre and cover. Safe to run again. */
export async function retagDownloads(
  deps: Deps,
  trackId: string,
  { id: jobId, signal }: Pick<RunningJob, 'id' | 'signal'>,
) {
  const { database, config } = deps;
  const track = await findTrack(database.db, trackId);
  if (!track) return;
  const stale = findStale(await listFiles(database.db, trackId), track, config.siteName);
  if (stale.length === 0) return;
  await inWorkFolder(deps, jobId, async (workDir) => {
    const coverFile = await writeCoverFile(deps, track, workDir);
    for (const file of stale) await retag(deps, { track, workDir, coverFile, signal }, file);
  });
}
