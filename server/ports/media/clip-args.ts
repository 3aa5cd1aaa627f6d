import { buildInputArgs, FILES_ONLY, flags, GLOBAL } from './args.ts';
import type { ClipSound, ClipVideo, Container } from './media.ts';

/** How the waveform of a clip moves: a whole number of pixels for each frame, so that it never jerks. */
export const CLIP_MOTION = { framesPerSecond: 25, pixelsPerFrame: 8, barPitch: 16 } as const;

/** Bars that pass in a second. */
export const CLIP_BARS_PER_SECOND =
  (CLIP_MOTION.framesPerSecond * CLIP_MOTION.pixelsPerFrame) / CLIP_MOTION.barPitch;

/** The sound of clips. */
export const CLIP_RATE = 48_000;

/** A decoder needs some frames before the first one that it decodes right. */
const RUN_UP_SECONDS = 1;
/** So short that one hears no click, and not that it fades. */
const FADE_IN_SECONDS = 0.02;
const FADE_OUT_SECONDS = 0.15;

/** Nothing of the source's texts. */
const NO_TEXTS = flags('-map_metadata -1 -map_chapters -1');
const EXACT = flags('-fflags +bitexact -flags:a +bitexact -flags:v +bitexact');

/**
 * Decodes exactly the marked seconds into a WAV: what isn't in it can't get into a clip, however its
 * encoder pads.
 */
export function buildCutArgs(
  { source, from, seconds, to }: ClipSound,
  container: Container,
): string[] {
  const runUp = Math.min(from, RUN_UP_SECONDS);
  const samples = seconds * CLIP_RATE;
  const filters = [
    `atrim=start=${runUp}`,
    'asetpts=PTS-STARTPTS',
    'aformat=channel_layouts=stereo',
    `aresample=${CLIP_RATE}`,
    `apad=whole_len=${samples}`,
    `atrim=end_sample=${samples}`,
    `afade=t=in:d=${FADE_IN_SECONDS}`,
    `afade=t=out:st=${seconds - FADE_OUT_SECONDS}:d=${FADE_OUT_SECONDS}`,
  ];
  return [
    ...GLOBAL,
    '-ss',
    String(from - runUp),
    '-t',
    String(seconds + runUp),
    ...buildInputArgs(source, container),
    ...flags('-map 0:a:0 -af'),
    filters.join(','),
    ...NO_TEXTS,
    ...flags('-c:a pcm_s16le -fflags +bitexact -f wav'),
    `file:${to}`,
  ];
}

const readWav = (file: string): string[] => [
  ...FILES_ONLY,
  ...flags('-codec_whitelist pcm_s16le -f wav -i'),
  `file:${file}`,
];

/** The sound alone, for pages: the one format that every browser plays. */
export const buildSoundArgs = (wav: string, to: string): string[] => [
  ...GLOBAL,
  ...readWav(wav),
  ...NO_TEXTS,
  ...flags('-c:a libmp3lame -b:a 128k -write_id3v1 0 -id3v2_version 0'),
  ...EXACT,
  ...flags('-f mp3'),
  `file:${to}`,
];

const readPicture = (file: string): string[] => [
  ...FILES_ONLY,
  ...flags('-codec_whitelist png -f png_pipe -i'),
  `file:${file}`,
];

/**
 * Shows a picture for as long as the video lasts. The pictures end it: at a limit of frames, ffmpeg
 * would close the file before the rest of the sound.
 */
const show = (seconds: number): string => {
  const { framesPerSecond } = CLIP_MOTION;
  return `format=yuv420p,loop=${seconds * framesPerSecond - 1}:1:0,setpts=N/${framesPerSecond}/TB`;
};

/**
 * The pictures are drawn before; here they are only shown. What was heard leaves on the left, and the
 * bars that come are dim until they reach the middle.
 */
function buildMotion({ wave, labels, width, seconds }: ClipVideo): string {
  const still = show(seconds);
  const half = width / 2;
  const at = `${CLIP_MOTION.pixelsPerFrame}*n`;
  const crop = (x: string) => `crop=${half}:${wave.height}:${x}:0`;
  const graph = [
    `[1:v]${still}[base]`,
    `[2:v]${still},${crop(at)}[heard]`,
    `[3:v]${still},${crop(`${half}+${at}`)}[rest]`,
    '[heard][rest]hstack[wave]',
    `[base][wave]overlay=0:${wave.top}[shown0]`,
    ...labels.map(
      ({ from, to, top }, index) =>
        `[shown${index}][${index + 4}:v]overlay=0:${top}:enable='between(t,${from},${to - 0.001})'[shown${index + 1}]`,
    ),
    `[shown${labels.length}]format=yuv420p[video]`,
  ];
  return graph.join(';');
}

/** About 2.6 MB for 20 seconds of the busiest picture. */
const PICTURE_KILOBITS = 900;

export function buildVideoArgs(video: ClipVideo, engine: 'native' | 'wasm'): string[] {
  const { sound, base, wave, labels, to } = video;
  const { framesPerSecond } = CLIP_MOTION;
  return [
    ...GLOBAL,
    ...readWav(sound),
    ...[base, wave.heard, wave.rest, ...labels.map(({ file }) => file)].flatMap(readPicture),
    '-filter_complex',
    buildMotion(video),
    ...flags(
      '-map [video] -map 0:a:0 -c:v libx264 -pix_fmt yuv420p -profile:v main -level 3.1 -crf 22 -preset',
    ),
    // The one from npm has one thread and no vector instructions.
    engine === 'wasm' ? 'ultrafast' : 'veryfast',
    '-maxrate',
    `${PICTURE_KILOBITS}k`,
    '-bufsize',
    `${PICTURE_KILOBITS}k`,
    '-r',
    String(framesPerSecond),
    ...flags('-c:a aac -b:a 128k'),
    ...NO_TEXTS,
    ...EXACT,
    ...flags('-movflags +faststart -f mp4'),
    `file:${to}`,
  ];
}

/** The files that a video is made of. */
export const listVideoSources = ({ sound, base, wave, labels }: ClipVideo): string[] => [
  sound,
  base,
  wave.heard,
  wave.rest,
  ...labels.map(({ file }) => file),
];
