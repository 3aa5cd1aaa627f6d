import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Ffmpeg, FfmpegResult } from '../ports/media/ffmpeg.ts';
import { rememberDrawings, rememberRuns } from './remember-ffmpeg.ts';

let folder: string;
let asked: string[];
let outcome: FfmpegResult['outcome'];
let ffmpeg: Ffmpeg;

const remember = (version: string): Ffmpeg =>
  rememberRuns(
    {
      kind: 'native',
      version,
      encoders: new Set(),
      run: async ({ args, reads, writes, onLine, onOutput }) => {
        asked.push(args.join(' '));
        const sound = await readFile(reads[0] ?? '', 'utf8');
        await writeFile(writes[0] ?? '', `${sound}, encoded`);
        onLine?.(`read ${sound}`);
        onOutput?.(Buffer.from(sound));
        return { outcome, tail: 'the end' };
      },
    },
    folder,
  );

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-remember-'));
  asked = [];
  outcome = 'done';
  ffmpeg = remember('1');
});
afterEach(() => rm(folder, { recursive: true }));

let count = 0;
/** Uses different file names each time. */
async function encode(sound: string, rate = '320k', signal?: AbortSignal) {
  count += 1;
  const [from, to] = [join(folder, `in-${count}`), join(folder, `out-${count}`)];
  await writeFile(from, sound);
  const output: string[] = [];
  const result = await ffmpeg.run({
    args: ['-i', `file:${from}`, '-b:a', rate, `file:${to}`],
    reads: [from],
    writes: [to],
    onLine: (line) => output.push(line),
    onOutput: (chunk) => output.push(Buffer.from(chunk).toString()),
    timeLimitMs: 1000,
    signal,
  });
  return { ...result, output: output.toSorted(), written: await readFile(to, 'utf8') };
}

it('runs once for the same input and arguments, and returns the same result again', async () => {
  const first = await encode('rain');
  expect(first).toEqual({
    outcome: 'done',
    tail: 'the end',
    output: ['rain', 'read rain'],
    written: 'rain, encoded',
  });
  expect(await encode('rain')).toEqual(first);
  expect(asked).toHaveLength(1);
});

it('runs again for another input or other arguments', async () => {
  await encode('rain');
  expect((await encode('wind')).written).toBe('wind, encoded');
  await encode('rain', '96k');
  expect(asked).toHaveLength(3);
});

it('runs again with another version of ffmpeg', async () => {
  await encode('rain');
  ffmpeg = remember('2');
  await encode('rain');
  expect(asked).toHaveLength(2);
});

it('caches no aborted run, and starts none that was aborted before', async () => {
  outcome = 'timed_out';
  await encode('rain');
  outcome = 'done';
  expect((await encode('rain')).outcome).toBe('done');
  await expect(encode('rain', '320k', AbortSignal.abort())).rejects.toThrow('abort');
  expect(asked).toHaveLength(2);
});

it('converts a drawing once, and each other one anew', async () => {
  const convert = rememberDrawings(async (svg) => {
    asked.push(svg);
    return Buffer.from(`${svg} as a JPEG`);
  }, folder);
  const jpegs = [await convert('a sun'), await convert('a sun'), await convert('a moon')];
  expect(jpegs.map((jpeg) => Buffer.from(jpeg).toString())).toEqual([
    'a sun as a JPEG',
    'a sun as a JPEG',
    'a moon as a JPEG',
  ]);
  expect(asked).toEqual(['a sun', 'a moon']);
});
