import { CUE_COMMENTS, CUE_NO_ARTIST, CUE_NO_TIME } from '#contract/tracklists/cue-sheet.ts';
import type { RecordingDetails } from '#contract/tracklists/recording.ts';
import type { Chapter } from '#contract/tracks.ts';

type CueSheet = {
  title: string;
  performer: string;
  fileName: string;
  chapters: readonly (Chapter & { details?: RecordingDetails | undefined })[];
};

/** A cue sheet knows no escapes, so a double quote becomes two single ones. */
const quote = (text: string): string => `"${text.replaceAll('"', "''")}"`;

const pad = (number: number): string => String(number).padStart(2, '0');

/** Minutes, seconds and frames, of which a second has 75. There are more than 99 minutes in a mix. */
function formatCueTime(seconds: number): string {
  const frames = Math.round(seconds * 75);
  return `${pad(Math.floor(frames / 4500))}:${pad(Math.floor(frames / 75) % 60)}:${pad(frames % 75)}`;
}

const types: Record<string, string> = { mp3: 'MP3', aiff: 'AIFF', aif: 'AIFF' };

/** A cue sheet has a word for the ISRC; players and we read the rest in comments. */
function describeRecording(details: RecordingDetails | undefined): string[] {
  if (!details) return [];
  const values = { ...details, isOwn: details.isOwn ? 'yes' : null };
  const names = Object.keys(CUE_COMMENTS) as (keyof typeof CUE_COMMENTS)[];
  const comments = names.flatMap((name) => {
    const value = values[name];
    return value === null ? [] : [`    REM ${CUE_COMMENTS[name]} ${quote(value)}`];
  });
  return [...(details.isrc === null ? [] : [`    ISRC ${details.isrc}`]), ...comments];
}

/**
 * The tracklist in the form that players and DJ programs read. Every track of a cue sheet needs a time:
 * one without begins where the track before it does. Comments say what a track lacks, so that the
 * sheet can be read back as it was.
 */
export function buildCueSheet({ title, performer, fileName, chapters }: CueSheet): string {
  const type = types[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'WAVE';
  let last = 0;
  const tracks = chapters.flatMap(({ at, artist, title: name, details }, index) => {
    last = at ?? last;
    return [
      `  TRACK ${pad(index + 1)} AUDIO`,
      `    TITLE ${quote(name)}`,
      artist ? `    PERFORMER ${quote(artist)}` : `    REM ${CUE_NO_ARTIST}`,
      ...(at === null ? [`    REM ${CUE_NO_TIME}`] : []),
      ...describeRecording(details),
      `    INDEX 01 ${formatCueTime(last)}`,
    ];
  });
  const head = [`PERFORMER ${quote(performer)}`, `TITLE ${quote(title)}`];
  return `${[...head, `FILE ${quote(fileName)} ${type}`, ...tracks].join('\r\n')}\r\n`;
}
