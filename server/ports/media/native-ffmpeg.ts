import type { Ffmpeg, FfmpegResult } from './ffmpeg.ts';
import { runFfmpegProcess } from './ffmpeg-process.ts';
import { LIMITS } from './limits.ts';

const describeExit = (code: number | null): FfmpegResult['outcome'] =>
  code === 0 ? 'done' : code === null || code > 128 ? 'crashed' : 'failed';

export function createNativeFfmpeg(
  path: string,
  about: Pick<Ffmpeg, 'version' | 'encoders'>,
): Ffmpeg {
  const memoryBytes = LIMITS.processBytes;
  return {
    kind: 'native',
    ...about,
    run: (run) =>
      runFfmpegProcess({ command: path, args: run.args, memoryBytes, describeExit }, run),
  };
}
