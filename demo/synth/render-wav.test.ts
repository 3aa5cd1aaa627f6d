import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SynthTrack } from './music/arrangement.ts';
import { renderWavInWorker } from './render-wav-in-worker.ts';
import { renderWav } from './render-wav.ts';

const track: SynthTrack = {
  seed: 3,
  genre: 'Gqom',
  bpm: 480,
  key: 'A minor',
  duration: 4.2,
  chapters: [0, 0.5, 1, 1.5, 2].map((at) => ({ at })),
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'synth-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('renderWav', () => {
  it('writes 16-bit stereo of exactly the right length', async () => {
    const path = join(folder, 'mix.wav');
    const shares: number[] = [];
    await renderWav(track, path, { onProgress: (share) => shares.push(share) });
    const wav = await readFile(path);
    const dataBytes = Math.round(4.2 * 44_100) * 4;
    expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect([wav.readUInt16LE(20), wav.readUInt16LE(22)]).toEqual([1, 2]);
    expect(wav.readUInt32LE(24)).toBe(44_100);
    expect(wav.readUInt32LE(40)).toBe(dataBytes);
    expect(wav).toHaveLength(44 + dataBytes);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(await readdir(folder)).toEqual(['mix.wav']);
  });

  it('stops when aborted and leaves no files', async () => {
    const stop = new AbortController();
    const rendering = renderWav(track, join(folder, 'mix.wav'), {
      signal: stop.signal,
      onProgress: (share) => share > 0 && stop.abort(),
    });
    await expect(rendering).rejects.toThrow('aborted');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('renderWavInWorker', () => {
  it('writes the same bytes from its own thread', async () => {
    const paths = [join(folder, 'here.wav'), join(folder, 'there.wav')] as const;
    let last = 0;
    await renderWav(track, paths[0]);
    await renderWavInWorker(track, paths[1], { onProgress: (share) => (last = share) });
    expect((await readFile(paths[0])).equals(await readFile(paths[1]))).toBe(true);
    expect(last).toBe(1);
  });

  it('stops its thread when aborted and leaves no files', async () => {
    const stop = new AbortController();
    const rendering = renderWavInWorker({ ...track, duration: 600 }, join(folder, 'mix.wav'), {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(rendering).rejects.toThrow('aborted');
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports why it could not write', async () => {
    const nowhere = join(folder, 'missing', 'mix.wav');
    await expect(renderWavInWorker(track, nowhere)).rejects.toThrow('ENOENT');
  });
});
