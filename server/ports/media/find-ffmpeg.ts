import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Ffmpeg } from './ffmpeg.ts';
import { createNativeFfmpeg } from './native-ffmpeg.ts';
import { createWasmFfmpeg } from './wasm-ffmpeg.ts';

const run = promisify(execFile);

export type FfmpegChoice = {
  /** The operator's own; then no other is looked for. */
  ffmpegPath?: string | undefined;
  /** Where `@ffmpeg/core` is, as a file URL, when it is not found by its name. */
  coreUrl?: string | undefined;
};

const REQUIRED = ['libmp3lame', 'aac', 'flac'];
const KNOWN = [...REQUIRED, 'libopus'];
const ASK_OPTIONS = { timeout: 20_000, maxBuffer: 4 * 1024 ** 2 };

async function findOnPath(): Promise<string | null> {
  const [command, args] =
    process.platform === 'win32'
      ? (['where', ['ffmpeg']] as const)
      : (['/bin/sh', ['-c', 'command -v ffmpeg']] as const);
  const found = await run(command, [...args]).catch(() => null);
  return found?.stdout.split(/\r?\n/)[0]?.trim() || null;
}

async function openNative(path: string): Promise<Ffmpeg> {
  const ask = async (arg: string) => (await run(path, ['-hide_banner', arg], ASK_OPTIONS)).stdout;
  const [about, list] = [await ask('-version'), await ask('-encoders')];
  const encoders = new Set(KNOWN.filter((name) => new RegExp(`^ A\\S* ${name} `, 'm').test(list)));
  const missing = REQUIRED.filter((name) => !encoders.has(name));
  if (missing.length > 0)
    throw new Error(`The ffmpeg at ${path} lacks the encoders ${missing.join(', ')}.`);
  return createNativeFfmpeg(path, {
    version: /^ffmpeg version (\S+)/.exec(about)?.[1] ?? 'unknown',
    encoders,
  });
}

function resolveCore(): string | null {
  try {
    return import.meta.resolve('@ffmpeg/core');
  } catch {
    return null;
  }
}

/** The operator's choice, else the one on the PATH, else the one from npm. */
export async function findFfmpeg(choice: FfmpegChoice = {}): Promise<Ffmpeg> {
  if (choice.ffmpegPath)
    return openNative(choice.ffmpegPath).catch((cause: unknown) => {
      throw new Error(
        `FFMPEG_PATH (${choice.ffmpegPath}) is not an ffmpeg that can be used: ${String(cause)}`,
        { cause },
      );
    });
  if (!choice.coreUrl) {
    const onPath = await findOnPath();
    const native = onPath ? await openNative(onPath).catch(() => null) : null;
    if (native) return native;
  }
  const coreUrl = choice.coreUrl ?? resolveCore();
  if (coreUrl) return createWasmFfmpeg(coreUrl);
  throw new Error('There is no ffmpeg: install one, set FFMPEG_PATH, or run npm ci.');
}
