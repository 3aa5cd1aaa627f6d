import type { EntryProblem } from '#contract/admin/recordings.ts';
import type { Gap, RecordingDetails } from '#contract/tracklists/recording.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { FIELDS, type ColumnName, type FieldName } from './sheet.ts';

export const COLUMN_LABELS: Record<ColumnName, string> = {
  at: 'Time',
  artist: 'Artist',
  title: 'Title',
  version: 'Version',
  composer: 'Composer',
  publisher: 'Publisher',
  label: 'Label',
  isrc: 'ISRC',
  iswc: 'ISWC',
  isOwn: 'Own',
  clearedWith: 'Cleared with',
};

export const FIELD_HINTS: Partial<Record<FieldName, string>> = {
  version: 'Or the remix.',
  isrc: 'Of the recording: ZAUM71900001.',
  iswc: 'Of the composition: T0345246801.',
  clearedWith: 'A note: who allowed it, and when.',
};

const GAP_WORDS: Record<Gap, string> = {
  time: 'time',
  artist: 'artist',
  composer: 'composer',
  publisher: 'publisher',
  label: 'label',
  isrc: 'ISRC',
};

/** `Missing: composer, ISRC` */
export const describeGaps = (gaps: readonly Gap[]): string =>
  gaps.length === 0 ? 'Complete' : `Missing: ${gaps.map((gap) => GAP_WORDS[gap]).join(', ')}`;

type Named = { artist: string | null; title: string };

export const formatNames = ({ artist, title }: Named): string =>
  artist ? `${artist} – ${title}` : title;

/** `Pool Lights, week 45, 2026` */
export const formatTrack = (track: { title: string; weekNumber: number; year: number }): string =>
  `${track.title}, week ${track.weekNumber}, ${track.year}`;

export const listGaps = (problems: readonly EntryProblem[]): Gap[] =>
  problems.flatMap((problem) => (problem.kind === 'sharedIsrc' ? [] : [problem.kind]));

export const listSharing = (problems: readonly EntryProblem[]) =>
  problems.flatMap((problem) => (problem.kind === 'sharedIsrc' ? problem.recordings : []));

/** `3 of 18 tracks have everything a report needs.` */
export const describeProgress = (complete: number, count: number): string =>
  complete === count
    ? `${formatCount(count, 'track')}: a report has everything it needs.`
    : `${complete} of ${formatCount(count, 'track')} ${complete === 1 && count === 1 ? 'has' : 'have'} everything a report needs.`;

/** `Composer Thandi M, ISRC ZAUM71900001` */
export function describeDetails(details: RecordingDetails): string {
  const said = FIELDS.flatMap((field) => {
    const value = details[field];
    if (field === 'isOwn') return value ? ['own production'] : [];
    return value ? [`${COLUMN_LABELS[field]} ${value}`] : [];
  });
  return said.join(', ') || 'nothing is known';
}
