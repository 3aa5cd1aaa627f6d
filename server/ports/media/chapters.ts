import { MAX_CHAPTER_AT, MAX_CHAPTERS } from '#contract/rules/tracklist.ts';
import { parseNames } from '#contract/tracklists/lines.ts';
import type { Chapter } from '#contract/tracks.ts';
import type { DownloadFormat, RenditionName } from '../../db/types/tables.ts';
import type { EncodeJob, TimedChapter } from './media.ts';

export const isTimed = (chapter: Chapter): chapter is TimedChapter => chapter.at !== null;

/** The table of contents of an MP3 counts its chapters in one byte. */
const MAX_MP3_CHAPTERS = 255;

const formatName = ({ artist, title }: Chapter): string =>
  artist ? `${artist} - ${title}` : title;

type FileChapter = { startMs: number; name: string };

/** Chapters inside the audio; tracks that start together are one chapter. */
function listFileChapters(chapters: readonly TimedChapter[], endMs: number): FileChapter[] {
  const byStart = Map.groupBy(chapters, ({ at }) => Math.round(at * 1000));
  return [...byStart]
    .map(([startMs, together]) => ({ startMs, name: together.map(formatName).join(' / ') }))
    .filter(({ startMs }) => startMs < endMs)
    .toSorted((a, b) => a.startMs - b.startMs);
}

/** ffmpeg's text format has characters with a meaning. */
const escapeText = (text: string): string => text.replace(/[=;#\\\n]/g, '\\$&');

/** ffmpeg writes CTOC and CHAP frames from these. */
const formatMp3Chapters = (chapters: readonly FileChapter[], endMs: number): string[] =>
  chapters
    .slice(0, MAX_MP3_CHAPTERS)
    .flatMap(({ startMs, name }, index, all) => [
      '[CHAPTER]',
      'TIMEBASE=1/1000',
      `START=${startMs}`,
      `END=${all[index + 1]?.startMs ?? endMs}`,
      `title=${escapeText(name)}`,
    ]);

function formatTime(ms: number): string {
  const pad = (value: number, length = 2) => String(value).padStart(length, '0');
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  return `${pad(hours)}:${pad(minutes)}:${pad(Math.floor(ms / 1000) % 60)}.${pad(ms % 1000, 3)}`;
}

/** The comments that players of FLAC and Ogg know; ffmpeg writes them like any other tag. */
const formatFlacChapters = (chapters: readonly FileChapter[]): string[] =>
  chapters.flatMap(({ startMs, name }, index) => {
    const key = `CHAPTER${String(index + 1).padStart(3, '0')}`;
    return [`${key}=${formatTime(startMs)}`, `${key}NAME=${escapeText(name)}`];
  });

const isDownload = (rendition: RenditionName): rendition is DownloadFormat =>
  rendition === 'mp3' || rendition === 'flac';

export type ChapterText = { format: DownloadFormat; text: string };

/** The chapters of each download of a job, in the format that ffmpeg reads. */
export function buildChapterTexts({ tags, targets, analysis }: EncodeJob): ChapterText[] {
  const endMs = Math.round(analysis.durationSeconds * 1000);
  const chapters = listFileChapters(tags?.chapters ?? [], endMs);
  if (chapters.length === 0) return [];
  return targets
    .map(({ rendition }) => rendition)
    .filter(isDownload)
    .map((format) => {
      const lines =
        format === 'mp3' ? formatMp3Chapters(chapters, endMs) : formatFlacChapters(chapters);
      return { format, text: [';FFMETADATA1', ...lines, ''].join('\n') };
    });
}

type RawChapter = ReadonlyMap<string, string>;

function parseStart(raw: RawChapter): number {
  const [numerator = 1, denominator = 1_000_000_000] = (raw.get('timebase') ?? '')
    .split('/')
    .filter(Boolean)
    .map(Number);
  return (Number(raw.get('start')) * numerator) / denominator;
}

/** What a file says about its own chapters, as a tracklist. */
export const toTracklist = (
  raws: readonly RawChapter[],
  cleanText: (text: string) => string,
): TimedChapter[] =>
  raws
    .map((raw, index) => ({
      at: Math.round(parseStart(raw) * 1000) / 1000,
      ...parseNames(cleanText(raw.get('title') ?? '') || `Track ${index + 1}`),
    }))
    .filter(({ at }) => at >= 0 && at <= MAX_CHAPTER_AT)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MAX_CHAPTERS);
