import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Ffmpeg } from './ffmpeg.ts';
import { createNativeFfmpeg } from './native-ffmpeg.ts';
import { createWasmFfmpeg } from './wasm-ffmpeg.ts';

const run = promisify(execFile);

const REQUIRED = ['libmp3lame', 'aac', 'flac'];
const KNOWN = [...REQUIRED, 'libopus', 'libx264'];
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
  const encoders = new Set(
    KNOWN.filter((name) => new RegExp(`^ [AV]\\S* ${name} `, 'm').test(list)),
  );
  const missing = REQUIRED.filter((name) => !encoders.has(name));
  if (missing.length > 0)
    throw new Error(`The ffmpeg at ${path} lacks the encoders ${missing.join(', ')}.`);
  return createNativeFfmpeg(path, {
    version: /^ffmpeg version (\S+)/.exec(about)?.[1] ?? 'unknown',
    encoders,
  });
}

/** The WebAssembly build that npm installs with the rest of the project. */
export async function openNpmFfmpeg(): Promise<Ffmpeg> {
  try {
    return await createWasmFfmpeg(import.meta.resolve('@ffmpeg/core'));
  } catch (cause) {
    throw new Error('No ffmpeg found. Install one, set FFMPEG_PATH, or run npm ci.', { cause });
  }
}

/** FFMPEG_PATH first, then the one on the PATH, then the one from npm. */
export async function findFfmpeg(choice: { ffmpegPath?: string } = {}): Promise<Ffmpeg> {
  const { ffmpegPath } = choice;
  if (ffmpegPath)
    return openNative(ffmpegPath).catch((cause: unknown) => {
      throw new Error(`FFMPEG_PATH (${ffmpegPath}) is not a usable ffmpeg: ${String(cause)}`, {
        cause,
      });
    });
  const onPath = await findOnPath();
  const native = onPath ? await openNative(onPath).catch(() => null) : null;
  return native ?? openNpmFfmpeg();
}
