import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Db } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { startIngest, createMasterKey } from '#server/features/ingest/service.ts';
import { withWorkFolder } from '#server/jobs/work-folder.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { enqueue } from '#server/jobs/queue.ts';
import type { DemoTrack } from './catalogue/demo-tracks.ts';

/** Most of the catalogue is stored as MP3, so that the demo doesn't fill the disk with lossless files. */
async function encodeMp3(deps: Deps, wav: string, track: DemoTrack, signal: AbortSignal) {
  const media = await deps.media();
  const master = { file: wav, probe: await media.probe(wav, { signal }) };
  const analysis = {
    durationSeconds: track.duration,
    loudness: { integrated: -14, truePeak: -1, range: 5, threshold: -24 },
    normalisation: { gainDb: 0, isLimited: false },
  };
  const targets = [{ rendition: 'mp3' as const, to: `${wav}.mp3` }];
  const tags = { title: track.title, genre: track.genre, bpm: track.bpm, year: track.year };
  const [encoded] = await media.encode({ master, analysis, targets, tags }, { signal });
  if (!encoded) throw new Error('The encoder wrote no file.');
  return encoded.file;
}

/** Finds a track in the catalogue of the week that its id names. */
async function findTrack(id: string): Promise<DemoTrack> {
  const { buildDemoTracks } = await import('./catalogue/demo-tracks.ts');
  const [, year, week] = /^demo-(\d{4})-w(\d{2})-/.exec(id) ?? [];
  const tracks = buildDemoTracks({ year: Number(year), week: Number(week) });
  const track = tracks.find((candidate) => candidate.id === id);
  if (!track) throw new Error(`The demo catalogue has no track ${id}.`);
  return track;
}

/** The tracks without music, most interesting first; the first `lossless` ones get a lossless master. */
const RenderQueue = z.object({ trackIds: z.array(z.string()), lossless: z.int() });
type RenderQueue = z.output<typeof RenderQueue>;

/** Each track enqueues the next one, so that its own ingest doesn't wait for all the others. */
export const enqueueDemoMusic = (db: Db, queue: RenderQueue, now: number) =>
  queue.trackIds.length === 0
    ? Promise.resolve(null)
    : enqueue(db, renderDemoTrack, queue, { now, runAt: now + 1, uniqueKey: 'demo-music' });

/** Renders the music of one track and ingests it like an upload. */
export const renderDemoTrack = defineJob({
  name: 'render-demo-mix',
  lane: 'media',
  payload: RenderQueue,
  maxAttempts: 3,
  run: async (deps: Deps, { trackIds: [trackId = '', ...rest], lossless }: RenderQueue, job) => {
    const now = deps.clock.now();
    const { runId, masterKey } = createMasterKey(lossless > 0 ? 'wav' : 'mp3', now);
    try {
      await withWorkFolder(deps, job.id, async (folder) => {
        const track = await findTrack(trackId);
        const { renderWavInProcess } = await import('./synth/render-wav-in-process.ts');
        const wav = join(folder, 'master.wav');
        await renderWavInProcess(track, wav, { signal: job.signal });
        const file = lossless > 0 ? wav : await encodeMp3(deps, wav, track, job.signal);
        await deps.storage.put(masterKey, createReadStream(file));
      });
      await job.finish(async (tx) => {
        await startIngest(tx, { trackId, runId, masterKey, now });
        await enqueueDemoMusic(tx, { trackIds: rest, lossless: lossless - 1 }, deps.clock.now());
      });
    } catch (error) {
      await deps.storage.delete(masterKey);
      throw error;
    }
  },
});
