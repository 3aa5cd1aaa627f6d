import { buildCutArgs, buildSoundArgs, buildVideoArgs, listVideoSources } from './clip-args.ts';
import type { Ffmpeg, FfmpegRun } from './ffmpeg.ts';
import { timeLimitMs } from './limits.ts';
import type { Media, RunOptions } from './media.ts';
import { sniffAudioFile } from './sniff-audio.ts';

/** A minute for each second: ffmpeg from npm needs about one second for each. */
const SLOWEST = 60;

async function run(
  ffmpeg: Ffmpeg,
  work: Pick<FfmpegRun, 'args' | 'reads' | 'writes'>,
  { signal }: RunOptions,
) {
  const { outcome, tail } = await ffmpeg.run({
    ...work,
    timeLimitMs: timeLimitMs(SLOWEST),
    signal,
  });
  if (outcome !== 'done') throw new Error(`ffmpeg could not make a clip (${outcome}).\n${tail}`);
}

/** Some systems leave H.264 out of their ffmpeg. */
async function findVideoFfmpeg(ffmpeg: Ffmpeg): Promise<Ffmpeg> {
  if (ffmpeg.encoders.has('libx264')) return ffmpeg;
  const { openNpmFfmpeg } = await import('./find-ffmpeg.ts');
  return openNpmFfmpeg();
}

export const createClipMaker = (
  ffmpeg: Ffmpeg,
): Pick<Media, 'cutSound' | 'encodeSound' | 'makeVideo'> => ({
  cutSound: async (cut, options = {}) => {
    const args = buildCutArgs(cut, await sniffAudioFile(cut.source));
    await run(ffmpeg, { args, reads: [cut.source], writes: [cut.to] }, options);
  },
  encodeSound: (wav, to, options = {}) =>
    run(ffmpeg, { args: buildSoundArgs(wav, to), reads: [wav], writes: [to] }, options),
  makeVideo: async (video, options = {}) => {
    const engine = await findVideoFfmpeg(ffmpeg);
    const args = buildVideoArgs(video, engine.kind);
    await run(engine, { args, reads: listVideoSources(video), writes: [video.to] }, options);
  },
});
