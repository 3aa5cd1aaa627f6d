import { NO_DETAILS, type RecordingDetails } from '#contract/tracklists/recording.ts';
import { newId } from '../../db/ids.ts';
import type { RecordingRow } from './queries.ts';
import { toRecordingKey, type Names } from './recording-key.ts';

/** As files give them: what they don’t say is left out. */
export type SomeDetails = { [Name in keyof RecordingDetails]?: RecordingDetails[Name] | undefined };

export const toDetails = (row: RecordingRow): RecordingDetails => ({
  version: row.version,
  composer: row.composer,
  publisher: row.publisher,
  label: row.label,
  isrc: row.isrc,
  iswc: row.iswc,
  isOwn: row.is_own === 1,
  clearedWith: row.cleared_with,
});

/** An emptied field is an unknown one. */
export const toDetailColumns = (details: RecordingDetails) => ({
  version: details.version || null,
  composer: details.composer || null,
  publisher: details.publisher || null,
  label: details.label || null,
  isrc: details.isrc || null,
  iswc: details.iswc || null,
  is_own: details.isOwn ? (1 as const) : (0 as const),
  cleared_with: details.clearedWith || null,
});

export const completeDetails = (some: SomeDetails): RecordingDetails => ({
  version: some.version || null,
  composer: some.composer || null,
  publisher: some.publisher || null,
  label: some.label || null,
  isrc: some.isrc || null,
  iswc: some.iswc || null,
  isOwn: some.isOwn ?? false,
  clearedWith: some.clearedWith || null,
});

const NAMES = Object.keys(NO_DETAILS) as (keyof RecordingDetails)[];

export const isSame = (a: RecordingDetails, b: RecordingDetails): boolean =>
  NAMES.every((name) => a[name] === b[name]);

export const hasDetails = (details: RecordingDetails): boolean => !isSame(details, NO_DETAILS);

/** What a recording already has stays. */
export const fillIn = (known: RecordingDetails, more: RecordingDetails): RecordingDetails => ({
  version: known.version ?? more.version,
  composer: known.composer ?? more.composer,
  publisher: known.publisher ?? more.publisher,
  label: known.label ?? more.label,
  isrc: known.isrc ?? more.isrc,
  iswc: known.iswc ?? more.iswc,
  isOwn: known.isOwn || more.isOwn,
  clearedWith: known.clearedWith ?? more.clearedWith,
});

export const buildRecording = (
  { artist, title }: Names,
  details: RecordingDetails,
  now: number,
): RecordingRow => ({
  id: newId(now),
  artist,
  title,
  name_key: toRecordingKey({ artist, title }),
  ...toDetailColumns(details),
  created_at: now,
  updated_at: now,
});

/** Later than the one before, also within a millisecond. */
export const nextUpdate = ({ updated_at }: RecordingRow, now: number): number =>
  Math.max(now, updated_at + 1);

type Facts = Record<string, string | boolean | null>;

const toFacts = (row: RecordingRow): Facts => ({
  artist: row.artist,
  title: row.title,
  ...toDetails(row),
});

/** For the audit log: only what changed. */
export function compareRecordings(before: RecordingRow | null, after: RecordingRow) {
  const [was, is] = [before ? toFacts(before) : {}, toFacts(after)];
  const changed = Object.keys(is).filter(
    (name) => (was[name] ?? null) !== is[name] && !(before === null && is[name] === false),
  );
  const pick = (facts: Facts) =>
    Object.fromEntries(changed.map((name) => [name, facts[name] ?? null]));
  return { before: pick(was), after: pick(is) };
}
