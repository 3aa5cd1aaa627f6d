import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STYLES } from '#demo/synth/genres/styles.ts';
import { layOutChapters } from '#demo/synth/music/song-form.ts';
import { renderWav } from '#demo/synth/render-wav.ts';

/** Seconds of music per second of processor time, genre by genre, written to disk as WAV. */
const BPM = 120;
const SECONDS = 90;

const folder = await mkdtemp(join(tmpdir(), 'synth-bench-'));
const { starts, duration } = layOutChapters(BPM, SECONDS, 7);
const chapters = starts.map((at) => ({ at }));
try {
  for (const genre of STYLES) {
    const before = process.cpuUsage();
    const track = { seed: 1, genre, bpm: BPM, key: 'F minor', duration, chapters };
    await renderWav(track, join(folder, 'mix.wav'));
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    console.log(
      `${genre.padEnd(12)} ${duration} s of music in ${seconds.toFixed(2)} s, ${Math.round(duration / seconds)} times as fast as it plays`,
    );
  }
} finally {
  await rm(folder, { recursive: true });
}
