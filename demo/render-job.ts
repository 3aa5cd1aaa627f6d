import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Db } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { startIngest, createMasterKey } from '#server/features/ingest/service.ts';
import { withWorkFolder } from '#server/jobs/work-folder.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { enqueue } from '#server/jobs/queue.ts';
import { buildDemoTracks, type DemoTrack } from './catalogue/demo-tracks.ts';
import { renderWavInWorker } from './synth/render-wav-in-worker.ts';

/** Most of the catalogue is kept as MP3: a demo must not fill the disk with lossless copies. */
async function encodeMp3(deps: Deps, wav: string, mix: DemoTrack, signal: AbortSignal) {
  const media = await deps.media();
  const master = { file: wav, probe: await media.probe(wav, { signal }) };
  const analysis = {
    durationSeconds: mix.duration,
    loudness: { integrated: -14, truePeak: -1, range: 5, threshold: -24 },
    normalisation: { gainDb: 0, isLimited: false },
  };
  const targets = [{ rendition: 'mp3' as const, to: `${wav}.mp3` }];
  const tags = { title: mix.title, genre: mix.genre, bpm: mix.bpm, year: mix.year };
  const [encoded] = await media.encode({ master, analysis, targets, tags }, { signal });
  if (!encoded) throw new Error('The encoder wrote no file.');
  return encoded.file;
}

/** The mix an id stands for: the catalogue of the week it was recorded in has it. */
function findTrack(id: string): DemoTrack {
  const [, year, week] = /^demo-(\d{4})-w(\d{2})-/.exec(id) ?? [];
  const mix = buildDemoTracks({ year: Number(year), week: Number(week) }).find(
    (candidate) => candidate.id === id,
  );
  if (!mix) throw new Error(`The demo catalogue has no mix ${id}.`);
  return mix;
}

/** What is left to make, in the order in which people will look for it. */
const RenderQueue = z.object({ trackIds: z.array(z.string()), lossless: z.int() });
type RenderQueue = z.output<typeof RenderQueue>;

/** The next mix is asked for when one is done, so that its ingest does not wait for all the others. */
export const enqueueDemoMusic = (db: Db, order: RenderQueue, now: number) =>
  order.trackIds.length === 0
    ? Promise.resolve(null)
    : enqueue(db, renderDemoTrack, order, { now, runAt: now + 1, uniqueKey: 'demo-music' });

/** Makes the music of one mix and hands it to the ingest that every upload goes through. */
export const renderDemoTrack = defineJob({
  name: 'render-demo-mix',
  payload: RenderQueue,
  maxAttempts: 3,
  run: async (deps: Deps, { trackIds: [trackId = '', ...rest], lossless }: RenderQueue, job) => {
    const now = deps.clock.now();
    const { runId, masterKey } = createMasterKey(lossless > 0 ? 'wav' : 'mp3', now);
    try {
      await withWorkFolder(deps, job.id, async (folder) => {
        const mix = findTrack(trackId);
        const wav = join(folder, 'master.wav');
        await renderWavInWorker(mix, wav, { signal: job.signal });
        const file = lossless > 0 ? wav : await encodeMp3(deps, wav, mix, job.signal);
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
