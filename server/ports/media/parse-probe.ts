import { finishTracklist, listValidChapters } from '#contract/rules/tracklist.ts';
import { isCueSheet, parseCue } from '#contract/tracklists/cue-sheet.ts';
import { isTimed, toTracklist } from './chapters.ts';
import { LIMITS } from './limits.ts';
import type { Container, MediaProbe, MediaTags, TimedChapter } from './media.ts';
import { describeRefusal, MediaRefused } from './refusals.ts';

const TEXT_LENGTH = 200;
const COMMENT_LENGTH = 2000;

/**
 * A tag as one line of plain text without markup, control or direction characters, so that no page
 * or e-mail can turn it into code.
 */
export function cleanText(value: string, maxLength = TEXT_LENGTH): string {
  let text = value.slice(0, maxLength * 4).normalize('NFC');
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(/<[a-z/!?][^<>]*>/giu, ' ');
  }
  return [
    ...text
      .replace(/<[a-z/!?].*$/isu, ' ')
      .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, maxLength)
    .join('')
    .trim();
}

function parseNumber(value: string | undefined, pattern: RegExp, min: number, max: number) {
  const found = Number(value?.match(pattern)?.[0] ?? Number.NaN);
  return found >= min && found <= max ? found : undefined;
}

/** Names differ by container: `TBPM` or `TBP` in MP3, `tmpo` in M4A, `author` in AIFF, `date` or `TYER` for the year. */
export function cleanTags({ tags: raw, chapters: rawChapters }: Ffmetadata): MediaTags {
  const pick = (...names: string[]) => names.map((name) => raw.get(name)).find(Boolean);
  const texts = {
    title: cleanText(pick('title', 'tit2') ?? ''),
    artist: cleanText(pick('artist', 'album_artist', 'author', 'performer', 'tpe1') ?? ''),
    album: cleanText(pick('album', 'talb') ?? ''),
    genre: cleanText(pick('genre', 'tcon') ?? '', 60),
    comment: cleanText(pick('comment', 'description') ?? '', COMMENT_LENGTH),
  };
  const bpm = parseNumber(pick('tbpm', 'tbp', 'bpm', 'tmpo', 'tempo'), /\d+(\.\d+)?/, 20, 400);
  const year = parseNumber(pick('date', 'year', 'tyer', 'tdrc'), /\d{4}/, 1900, 2200);
  const tags: MediaTags = {};
  for (const [name, text] of Object.entries(texts) as [keyof typeof texts, string][])
    if (text) tags[name] = text;
  if (bpm !== undefined) tags.bpm = Math.round(bpm);
  if (year !== undefined) tags.year = year;
  const chapters = toTracklist(rawChapters, cleanText);
  const listed = chapters.length > 0 ? chapters : parseCueSheet(raw.get('cuesheet') ?? '');
  if (listed.length > 0) tags.chapters = listed;
  return tags;
}

/** The cue sheet that some programs keep in a tag of the file. */
const parseCueSheet = (text: string): TimedChapter[] =>
  isCueSheet(text)
    ? listValidChapters(finishTracklist(parseCue(text.replace(/\r\n?/g, '\n'))))
        .map(({ artist, title, ...chapter }) => ({
          ...chapter,
          artist: artist && (cleanText(artist) || null),
          title: cleanText(title) || 'Untitled',
        }))
        .filter(isTimed)
    : [];

export type Ffmetadata = {
  tags: ReadonlyMap<string, string>;
  chapters: readonly ReadonlyMap<string, string>[];
};

/** The text form that `-f ffmetadata` writes: tags, then the parts of the file. Keys are lower case. */
export function parseFfmetadata(text: string): Ffmetadata {
  const tags = new Map<string, string>();
  const chapters: Map<string, string>[] = [];
  let part = tags;
  // A value can have several lines, so a part starts only where no value continues.
  const entry = /^\[(\w+)\]$|^((?:\\[^\n]|[^\\=\n[;])+)=((?:\\[\s\S]|[^\\\n])*)$/gm;
  const unescape = (value: string) => value.replace(/\\([\s\S])/g, '$1');
  // A long text may be cut off after a backslash.
  for (const [, heading, key = '', value = ''] of `${text}\n`.matchAll(entry)) {
    if (heading === 'CHAPTER') chapters.push((part = new Map()));
    else if (heading) part = tags;
    const name = unescape(key).toLowerCase();
    if (!heading && !part.has(name)) part.set(name, unescape(value));
  }
  return { tags, chapters };
}

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

function parseBitDepth(codec: string, format: string): number | null {
  if (LOSSY.has(codec)) return null;
  const stated = /\((\d+) bit\)/.exec(format) ?? PCM.exec(codec);
  if (stated) return Number(stated[1]);
  return format.startsWith('s16') ? 16 : 24;
}

// ffmpeg indents every line of a tag by more than two spaces, so no tag can pose as one of these.
const DURATION = /^ {2}Duration: (\d+):(\d+):(\d+\.\d+)/m;
const BIT_RATE = /^ {2}Duration: .*bitrate: (\d+) kb\/s/m;
const AUDIO =
  /^ {2}Stream #0:\d+.*?: Audio: (\w+)[^,\n]*, (\d+) Hz, ([^,\n]+), ([^,\n]+)(?:, (\d+) kb\/s)?/m;
const ANY_AUDIO = /^ {2}Stream #0:\d+.*?: Audio: /m;
const VIDEO = /^ {2}Stream #0:\d+.*?: Video: .*$/gm;

/** Parses what ffmpeg prints about an input, and checks it against the limits. */
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
  // The container's bit rate includes its pictures.
  const bitRate = streamBitRate ?? BIT_RATE.exec(log)?.[1];
  const isUnknownPicture = /Unknown attached picture mimetype: (\S*)/.exec(log);
  return {
    container,
    codec,
    isLossless: !LOSSY.has(codec),
    sampleRate,
    channels,
    bitDepth: parseBitDepth(codec, format.trim()),
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
