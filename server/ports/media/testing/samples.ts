import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { buildWavHeader } from '../wav-header.ts';
import type { Ffmpeg } from '../ffmpeg.ts';
import { findFfmpeg, openNpmFfmpeg } from '../find-ffmpeg.ts';
import type { Analysis, MediaProbe } from '../media.ts';

export const fixture = (name: string) =>
  fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

const makeFolder = () => mkdtemp(join(tmpdir(), 'media-test-'));
const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true });

/** A folder that is deleted after the test. */
export async function createFolder(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Creates shared read-only files once per test file; returns a function from name to path. */
export function prepareSamples(
  make: (place: (name: string) => string, ffmpeg: Ffmpeg) => Promise<void>,
): (name: string) => string {
  let folder = '';
  const place = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await makeFolder();
    await make(place, await openEngine('default'));
  });
  afterAll(() => removeFolder(folder));
  return place;
}

const openers = { default: findFfmpeg, wasm: openNpmFfmpeg };

/** The one from npm, and that of this machine if it has another one. */
export const ENGINES: readonly (keyof typeof openers)[] =
  (await findFfmpeg()).kind === 'wasm' ? ['wasm'] : ['default', 'wasm'];

const engines = new Map<string, Promise<Ffmpeg>>();

/** Opened once per test file, because compiling the WebAssembly takes long. */
export function openEngine(kind: keyof typeof openers): Promise<Ffmpeg> {
  const engine = engines.get(kind) ?? openers[kind]();
  engines.set(kind, engine);
  return engine;
}

type WavOptions = {
  seconds: number;
  sampleRate?: number;
  channels?: number;
  /** From -1 to 1 at a time in seconds. */
  render?: (time: number, channel: number) => number;
};

export const tone =
  (hertz: number, amplitude = 0.25) =>
  (time: number) =>
    amplitude * Math.sin(2 * Math.PI * hertz * time);

/** Reproducible noise. */
export const noise = (amplitude: number) => {
  let state = 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return amplitude * (state / 1_073_741_824 - 1);
  };
};

export function buildWav(options: WavOptions): Buffer {
  const { seconds, sampleRate = 44_100, channels = 2, render = tone(440) } = options;
  const frames = Math.round(seconds * sampleRate);
  const data = Buffer.alloc(frames * channels * 2);
  for (let frame = 0; frame < frames; frame += 1)
    for (let channel = 0; channel < channels; channel += 1) {
      const value = Math.max(-1, Math.min(1, render(frame / sampleRate, channel)));
      data.writeInt16LE(Math.round(value * 32_767), (frame * channels + channel) * 2);
    }
  return Buffer.concat([buildWavHeader(data.length, { sampleRate, channels }), data]);
}

export async function writeWav(file: string, options: WavOptions): Promise<string> {
  await writeFile(file, buildWav(options));
  return file;
}

/** Runs ffmpeg with any arguments. */
export async function runFfmpeg(
  ffmpeg: Ffmpeg,
  args: string[],
  files: { reads?: string[]; writes?: string[] } = {},
): Promise<{ log: string; output: Buffer }> {
  const lines: string[] = [];
  const chunks: Uint8Array[] = [];
  const { outcome, tail } = await ffmpeg.run({
    args: ['-hide_banner', '-nostdin', '-nostats', '-y', ...args],
    reads: files.reads ?? [],
    writes: files.writes ?? [],
    onLine: (line) => lines.push(line),
    onOutput: (chunk) => chunks.push(chunk),
    timeLimitMs: 120_000,
  });
  if (outcome !== 'done') throw new Error(`ffmpeg ${outcome}: ${tail}`);
  return { log: lines.join('\n'), output: Buffer.concat(chunks) };
}

type Conversion = { to: string; args: readonly string[] };

/** In one run, because starting ffmpeg takes longer than converting some seconds. */
export async function convertAll(ffmpeg: Ffmpeg, from: string, conversions: Conversion[]) {
  const outputs = conversions.flatMap(({ to, args }) => [...args, `file:${to}`]);
  await runFfmpeg(ffmpeg, ['-i', `file:${from}`, ...outputs], {
    reads: [from],
    writes: conversions.map(({ to }) => to),
  });
}

const syncSafe = (size: number) =>
  Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));

/** An ID3v2.4 tag with any content, even what no tagger would write. */
export function buildId3(frames: { id: string; body: Buffer }[]): Buffer {
  const bodies = frames.map(({ id, body }) =>
    Buffer.concat([Buffer.from(id, 'latin1'), syncSafe(body.length), Buffer.alloc(2), body]),
  );
  const all = Buffer.concat(bodies);
  return Buffer.concat([Buffer.from('ID3\x04\x00\x00', 'latin1'), syncSafe(all.length), all]);
}

export const textFrame = (id: string, text: string) => ({
  id,
  body: Buffer.concat([Buffer.of(3), Buffer.from(text, 'utf8')]),
});

export const pictureFrame = (mime: string, data: Uint8Array) => ({
  id: 'APIC',
  body: Buffer.concat([Buffer.of(0), Buffer.from(`${mime}\0\x03\0`, 'latin1'), data]),
});

const ANY_PROBE: MediaProbe = {
  container: 'wav',
  codec: 'pcm_s16le',
  isLossless: true,
  sampleRate: 44_100,
  channels: 2,
  bitDepth: 16,
  durationSeconds: 60,
  isDurationEstimated: false,
  bitRate: 1_411_000,
  hasCover: false,
  coverRefusal: null,
  tags: {},
};

export const createProbe = (changes: Partial<MediaProbe> = {}): MediaProbe => ({
  ...ANY_PROBE,
  ...changes,
});

export const createAnalysis = (changes: Partial<Analysis> = {}): Analysis => ({
  durationSeconds: 60,
  loudness: { integrated: -9, truePeak: -0.2, range: 4, threshold: -19 },
  normalisation: { gainDb: -5, isLimited: false },
  peaks: [],
  energy: [],
  ...changes,
});
