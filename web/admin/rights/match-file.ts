import type { RecordingDetails } from '#contract/tracklists/recording.ts';
import type { Chapter } from '#contract/tracks.ts';
import { cleanValue, FIELDS, type Change, type FieldName, type Row } from './sheet.ts';

/** A track in a file of a DJ program, with what the file says about it. */
export type FileTrack = Chapter & { details?: Partial<RecordingDetails> | undefined };

type Fill = Change & { old: string };
type Match = { row: number; track: FileTrack; by: 'names' | 'time'; fills: Fill[] };
export type FileMatch = { matches: Match[]; unmatched: FileTrack[] };

/** Programs round times, and note them when somebody presses a key. */
const NEAR_SECONDS = 5;

const simplify = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Without `(Extended Mix)` and `feat. …`, unless nothing else is left. */
const shorten = (text: string): string =>
  simplify(text.replace(/[([].*?[)\]]|\b(?:feat|ft)\b.*$/giu, '')) || simplify(text);

const keyOf = ({ artist, title }: Chapter, clean: (text: string) => string): string =>
  `${clean(artist ?? '')}|${clean(title)}`;

const distance = (one: Chapter, other: Chapter): number =>
  one.at === null || other.at === null ? Infinity : Math.abs(one.at - other.at);

function findNearest(entry: Chapter, tracks: readonly FileTrack[]): FileTrack | undefined {
  return tracks.toSorted((a, b) => distance(entry, a) - distance(entry, b))[0];
}

function textOf(value: string | boolean | null | undefined, field: FieldName): string {
  if (value === null || value === undefined) return '';
  return cleanValue(field, typeof value === 'boolean' ? (value ? 'Yes' : '') : value);
}

function listFills(row: number, values: Row['values'], { details = {} }: FileTrack): Fill[] {
  return FIELDS.flatMap((field) => {
    const value = textOf(details[field], field);
    const old = values[field];
    return value === '' || value === old ? [] : [{ row, field, value, old }];
  });
}

/**
 * Which entry each track of a file is: the one with the same names, then with nearly the same, then the
 * one that starts at the same time. A file that names a track once fills all entries of it.
 */
export function matchFile(
  entries: readonly Chapter[],
  rows: readonly Pick<Row, 'values'>[],
  tracks: readonly FileTrack[],
): FileMatch {
  const found = new Map<number, { track: FileTrack; by: Match['by'] }>();
  const used = new Set<FileTrack>();
  for (const clean of [simplify, shorten]) {
    const byNames = Map.groupBy(tracks, (track) => keyOf(track, clean));
    for (const [index, entry] of entries.entries()) {
      if (found.has(index)) continue;
      const same = byNames.get(keyOf(entry, clean)) ?? [];
      const unused = same.filter((track) => !used.has(track));
      const track = findNearest(entry, unused.length > 0 ? unused : same);
      if (!track) continue;
      found.set(index, { track, by: 'names' });
      used.add(track);
    }
  }
  for (const [index, entry] of entries.entries()) {
    if (found.has(index)) continue;
    const near = tracks.filter(
      (track) => !used.has(track) && distance(entry, track) <= NEAR_SECONDS,
    );
    const track = findNearest(entry, near);
    if (!track) continue;
    found.set(index, { track, by: 'time' });
    used.add(track);
  }
  const matches = [...found]
    .toSorted(([a], [b]) => a - b)
    .map(([row, { track, by }]) => {
      const values = rows[row]?.values;
      return { row, track, by, fills: values ? listFills(row, values, track) : [] };
    });
  return { matches, unmatched: tracks.filter((track) => !used.has(track)) };
}
