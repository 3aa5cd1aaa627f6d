import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SynthTrack } from './music/arrangement.ts';
import { renderWavInProcess } from './render-wav-in-process.ts';
import { renderWav } from './render-wav.ts';

const track: SynthTrack = {
  seed: 3,
  genre: 'Gqom',
  bpm: 480,
  key: 'A minor',
  duration: 4.2,
  chapters: [0, 0.5, 1, 1.5, 2].map((at) => ({ at })),
};

/** The command of every process. A minimal Linux has no `ps`. */
function listCommands(): string[] {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return readdirSync('/proc').flatMap((name) => {
    try {
      return readFileSync(`/proc/${Number(name)}/cmdline`, 'utf8');
    } catch {
      return [];
    }
  });
}

/** The processes of the synthesiser that write into this folder. */
const listRenderers = (into: string): string[] =>
  listCommands().filter((line) => line.includes('render-process.ts') && line.includes(into));

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

describe('renderWavInProcess', () => {
  it('writes the same bytes from its own process', async () => {
    const paths = [join(folder, 'here.wav'), join(folder, 'there.wav')] as const;
    let last = 0;
    let during: string[] = [];
    await renderWav(track, paths[0]);
    await renderWavInProcess(track, paths[1], {
      onProgress: (share) => {
        if (share === 0) during = listRenderers(folder);
        last = share;
      },
    });
    expect((await readFile(paths[0])).equals(await readFile(paths[1]))).toBe(true);
    expect(last).toBe(1);
    // It gives all of its memory back.
    expect(during).toHaveLength(1);
    expect(listRenderers(folder)).toEqual([]);
  });

  it('ends its process when aborted and leaves no files', async () => {
    const stop = new AbortController();
    const rendering = renderWavInProcess({ ...track, duration: 600 }, join(folder, 'mix.wav'), {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(rendering).rejects.toThrow('aborted');
    expect(await readdir(folder)).toEqual([]);
    expect(listRenderers(folder)).toEqual([]);
  });

  it('ends when the server is killed', async () => {
    const script = `
      import { renderWavInProcess } from ${JSON.stringify(import.meta.resolve('./render-wav-in-process.ts'))};
      const track = ${JSON.stringify({ ...track, duration: 3600 })};
      await renderWavInProcess(track, ${JSON.stringify(join(folder, 'mix.wav'))}, {
        onProgress: () => process.stdout.write('.'),
      });`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout, 'data');
    expect(listRenderers(folder)).toHaveLength(1);
    server.kill('SIGKILL');
    await vi.waitFor(() => expect(listRenderers(folder)).toEqual([]), 20_000);
  });

  it('reports why it could not write', async () => {
    const nowhere = join(folder, 'missing', 'mix.wav');
    await expect(renderWavInProcess(track, nowhere)).rejects.toThrow('ENOENT');
  });
});
