import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLogReader } from './ffmpeg.ts';
import { findFfmpeg, openNpmFfmpeg } from './find-ffmpeg.ts';
import { createNativeFfmpeg } from './native-ffmpeg.ts';
import { createFolder, ENGINES, openEngine } from './testing/samples.ts';

/** Sources that run for a minute in real time, or for long at full speed. */
const ENDLESS = ['-hide_banner', '-nostdin', '-re', '-f', 'lavfi', '-i', 'sine=d=60'];
const HURRIED = ['-hide_banner', '-nostdin', '-f', 'lavfi', '-i', 'sine=d=3600'];
const TO_NOWHERE = [...ENDLESS, '-progress', 'pipe:2', '-f', 'null', '-'];
const files = { reads: [], writes: [] };

describe.each(ENGINES)('the %s ffmpeg', { timeout: 60_000 }, (kind) => {
  it('stops at its time limit', async () => {
    const ffmpeg = await openEngine(kind);
    const { outcome } = await ffmpeg.run({ args: TO_NOWHERE, ...files, timeLimitMs: 700 });
    expect(outcome).toBe('timed_out');
  });

  it('stops when it is aborted halfway', async () => {
    const ffmpeg = await openEngine(kind);
    const controller = new AbortController();
    const run = ffmpeg.run({
      args: TO_NOWHERE,
      ...files,
      onLine: (line) => {
        if (line.startsWith('progress=')) controller.abort(new Error('No longer wanted.'));
      },
      timeLimitMs: 60_000,
      signal: controller.signal,
    });
    await expect(run).rejects.toThrow('No longer wanted.');
  });

  it('stops when the consumer of its output fails', async () => {
    const ffmpeg = await openEngine(kind);
    const run = ffmpeg.run({
      args: [...HURRIED, '-f', 's16le', 'pipe:1'],
      ...files,
      onOutput: () => {
        throw new Error('The disk is full.');
      },
      timeLimitMs: 60_000,
    });
    await expect(run).rejects.toThrow('The disk is full.');
  });

  it('reports how it failed', async () => {
    const ffmpeg = await openEngine(kind);
    const result = await ffmpeg.run({
      args: ['-i', 'file:/nowhere'],
      ...files,
      timeLimitMs: 30_000,
    });
    expect(result.outcome).toBe('failed');
    expect(result.tail).toContain('No such file');
  });
});

describe('finding ffmpeg', () => {
  it('names a path that does not work', async () => {
    await expect(findFfmpeg({ ffmpegPath: '/nowhere/ffmpeg' })).rejects.toThrow(
      'FFMPEG_PATH (/nowhere/ffmpeg) is not a usable ffmpeg',
    );
  });

  it('names the encoders that are missing', async () => {
    const path = join(await createFolder(), 'ffmpeg');
    await writeFile(path, '#!/bin/sh\necho "ffmpeg version 9"; echo " A..... flac  FLAC"\n');
    await chmod(path, 0o755);
    await expect(findFfmpeg({ ffmpegPath: path })).rejects.toThrow('libmp3lame, aac');
  });

  it('falls back to the npm build, which has no Opus encoder', async () => {
    const { kind, encoders } = await openNpmFfmpeg();
    expect(kind).toBe('wasm');
    expect(encoders.has('libopus')).toBe(false);
  });
});

describe('the ffmpeg from npm', { timeout: 60_000 }, () => {
  it('can crash without harming the server process', async () => {
    const ffmpeg = await openEngine('wasm');
    // Its Opus encoder is broken, which crashes like a hostile file.
    const source = ['-f', 'lavfi', '-i', 'sine=d=5', '-ac', '2'];
    const args = [...source, '-c:a', 'libopus', '-b:a', '64k', '-f', 'webm', 'pipe:1'];
    const { outcome, tail } = await ffmpeg.run({ args, ...files, timeLimitMs: 30_000 });
    expect(outcome).toBe('crashed');
    expect(tail).toContain('RuntimeError');
  });

  it('sees only the files it is given', async () => {
    const ffmpeg = await openEngine('wasm');
    const args = ['-f', 's16le', '-i', 'file:/etc/passwd', '-f', 'null', '-'];
    const { outcome, tail } = await ffmpeg.run({ args, ...files, timeLimitMs: 30_000 });
    expect(outcome).toBe('failed');
    expect(tail).toContain('No such file');
  });
});

describe('a native ffmpeg', () => {
  it('runs with system limits and without the server’s environment', async () => {
    const path = join(await createFolder(), 'ffmpeg');
    await writeFile(path, '#!/bin/sh\nulimit -v >&2; ulimit -t >&2; /usr/bin/env >&2\n');
    await chmod(path, 0o755);
    const lines: string[] = [];
    const ffmpeg = createNativeFfmpeg(path, { version: '1', encoders: new Set() });
    await ffmpeg.run({
      args: [],
      ...files,
      onLine: (line) => lines.push(line),
      timeLimitMs: 10_000,
    });
    expect(lines.slice(0, 2)).toEqual([String(3 * 1024 ** 2), '40']);
    expect(lines.join('\n')).not.toContain('TEST_DIALECT');
  });

  it('distinguishes a crash from being killed from outside', async () => {
    const path = join(await createFolder(), 'ffmpeg');
    await writeFile(path, '#!/bin/sh\nkill -$1 $$\n');
    await chmod(path, 0o755);
    const ffmpeg = createNativeFfmpeg(path, { version: '1', encoders: new Set() });
    const run = (name: string) => ffmpeg.run({ args: [name], ...files, timeLimitMs: 10_000 });
    expect((await run('SEGV')).outcome).toBe('crashed');
    await expect(run('KILL')).rejects.toThrow('killed from outside');
  });
});

describe('the log', () => {
  it('is split into bounded lines and keeps the last ones, without progress lines', () => {
    const seen: string[] = [];
    const log = createLogReader((line) => seen.push(line));
    log.push(Buffer.from('one\r\ntw'));
    log.push(Buffer.from(`o\nout_time_us=5\n${'x'.repeat(9000)}\nend`));
    expect(log.finish()).toBe(`one\ntwo\n${'x'.repeat(2000)}\nend`);
    expect(seen).toHaveLength(5);
  });
});
