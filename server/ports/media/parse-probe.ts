import { cleanTags, parseFfmetadata } from './clean-tags.ts';
import { LIMITS } from './limits.ts';
import type { Container, MediaProbe } from './media.ts';
import { describeRefusal, MediaRefused } from './refusals.ts';

const LOSSY = new Set(['mp3', 'aac', 'vorbis', 'opus']);
const LOSSLESS = new Set(['flac', 'alac']);
const PCM = /^pcm_[sf](16|24|32|64)(le|be)$/;

const toSeconds = (hours: string, minutes: string, seconds: string) =>
  Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);

const LAYOUTS: Record<string, number> = { mono: 1, stereo: 2, quad: 4 };

/** `stereo`, `5 channels`, `5.1(side)`: ffmpeg names a layout where it knows one. */
function countChannels(layout: string): number {
  const named = LAYOUTS[layout];
  if (named) return named;
  const counted = /^(\d+) channels/.exec(layout)?.[1];
  if (counted) return Number(counted);
  const points = /^(\d)\.(\d)(?:\.(\d))?/.exec(layout);
  return points ? points.slice(1).reduce((sum, part) => sum + Number(part ?? 0), 0) : 2;
}

function readBitDepth(codec: string, format: string): number | null {
  if (LOSSY.has(codec)) return null;
  const stated = /\((\d+) bit\)/.exec(format) ?? PCM.exec(codec);
  if (stated) return Number(stated[1]);
  return format.startsWith('s16') ? 16 : 24;
}

// Tag values are printed deeper than two spaces, on every one of their lines: none can pose as
// one of these.
const DURATION = /^ {2}Duration: (\d+):(\d+):(\d+\.\d+)/m;
const BIT_RATE = /^ {2}Duration: .*bitrate: (\d+) kb\/s/m;
const AUDIO =
  /^ {2}Stream #0:\d+.*?: Audio: (\w+)[^,\n]*, (\d+) Hz, ([^,\n]+), ([^,\n]+)(?:, (\d+) kb\/s)?/m;
const ANY_AUDIO = /^ {2}Stream #0:\d+.*?: Audio: /m;
const VIDEO = /^ {2}Stream #0:\d+.*?: Video: .*$/gm;

/** What ffmpeg prints of an input it opened, checked against the limits. */
export function parseProbe(container: Container, log: string, metadata: string): MediaProbe {
  const pictures = [...log.matchAll(VIDEO)].map(([line]) => line);
  if (pictures.some((line) => !line.includes('(attached pic)'))) throw new MediaRefused('video');
  const audio = AUDIO.exec(log);
  if (!audio) throw new MediaRefused(ANY_AUDIO.test(log) ? 'unsupported' : 'not_audio');
  const [, codec = '', rate = '0', layout = '', format = '', streamBitRate] = audio;
  if (!LOSSY.has(codec) && !LOSSLESS.has(codec) && !PCM.test(codec))
    throw new MediaRefused('unsupported');
  const [sampleRate, channels] = [Number(rate), countChannels(layout.trim())];
  const hasSaneShape =
    sampleRate >= LIMITS.minSampleRate &&
    sampleRate <= LIMITS.maxSampleRate &&
    channels >= 1 &&
    channels <= LIMITS.maxChannels;
  if (!hasSaneShape) throw new MediaRefused('unsupported');

  const time = DURATION.exec(log);
  const durationSeconds = time ? toSeconds(time[1] ?? '', time[2] ?? '', time[3] ?? '') : null;
  if (durationSeconds !== null && durationSeconds > LIMITS.maxSeconds)
    throw new MediaRefused('too_long');
  // The container's figure counts its pictures as well.
  const bitRate = streamBitRate ?? BIT_RATE.exec(log)?.[1];
  const isUnknownPicture = /Unknown attached picture mimetype: (\S*)/.exec(log);
  return {
    container,
    codec,
    isLossless: !LOSSY.has(codec),
    sampleRate,
    channels,
    bitDepth: readBitDepth(codec, format.trim()),
    durationSeconds,
    isDurationEstimated: /Estimating duration from bitrate|using bitrate for duration/.test(log),
    bitRate: bitRate ? Number(bitRate) * 1000 : null,
    hasCover: pictures.length > 0,
    coverRefusal:
      isUnknownPicture && pictures.length === 0
        ? describeRefusal(
            isUnknownPicture[1]?.includes('svg') ? 'cover_vector' : 'cover_unreadable',
          )
        : null,
    tags: cleanTags(parseFfmetadata(metadata)),
  };
}
