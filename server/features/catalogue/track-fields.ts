import {
  findReleaseProblem,
  findSlotProblem,
  toPublishAt,
  type TrackChange,
  type TrackValues,
} from '#contract/track-fields.ts';
import { formatTracklist } from '#contract/rules/tracklist.ts';
import type { ArtistName } from '#contract/artists/artists.ts';
import { readChapters, readEntries } from '../../db/read-chapters.ts';
import type { Tx } from '../../db/connect.ts';
import { AppError } from '../../http/route/app-error.ts';
import { recordAction, type AuditedAction } from '../audit/service.ts';
import type { CatalogueRow } from './queries.ts';

const toMs = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 1000));
const toSeconds = (ms: number | null) => (ms === null ? null : ms / 1000);

const SWITCHES = {
  hasDownloads: 'has_downloads',
  hasLossless: 'has_lossless',
  hasSaving: 'has_saving',
} as const satisfies Partial<Record<keyof TrackChange, keyof CatalogueRow>>;

const toSwitches = (change: TrackChange): Partial<CatalogueRow> =>
  Object.fromEntries(
    Object.entries(SWITCHES).flatMap(([name, column]) => {
      const isOn = change[name as keyof typeof SWITCHES];
      return isOn === undefined ? [] : [[column, isOn ? 1 : 0]];
    }),
  );

/** Members may keep something else of it than before. */
export const isKeptOtherwise = (before: CatalogueRow, after: CatalogueRow): boolean =>
  Object.values(SWITCHES).some((column) => before[column] !== after[column]);

/** The columns of the fields that an administrator edits. */
export const toColumns = (change: TrackChange, now: number): Partial<CatalogueRow> => ({
  ...(change.title !== undefined && { title: change.title }),
  ...(change.week !== undefined && { week: change.week }),
  ...(change.year !== undefined && { year: change.year }),
  ...(change.genre !== undefined && { genre: change.genre || null }),
  ...(change.series !== undefined && { series: change.series || null }),
  ...(change.bpm !== undefined && { bpm: change.bpm }),
  ...(change.description !== undefined && { description: change.description }),
  ...(change.isSubscriberOnly !== undefined && {
    is_subscriber_only: change.isSubscriberOnly ? (1 as const) : (0 as const),
  }),
  ...toSwitches(change),
  ...(change.previewStart !== undefined && { preview_start_ms: toMs(change.previewStart) }),
  ...(change.release && { publish_at: toPublishAt(change.release, now) }),
});

/** The other way round: what the edit form shows. */
export const toValues = (row: CatalogueRow, artists: ArtistName[]): TrackValues => ({
  title: row.title,
  artists,
  week: row.week,
  year: row.year,
  genre: row.genre,
  series: row.series,
  bpm: row.bpm,
  description: row.description,
  chapters: readEntries(row),
  isSubscriberOnly: row.is_subscriber_only === 1,
  hasDownloads: row.has_downloads === 1,
  hasLossless: row.has_lossless === 1,
  hasSaving: row.has_saving === 1,
  previewStart: toSeconds(row.preview_start_ms),
  publishAt: row.deleted_at === null ? row.publish_at : row.restore_publish_at,
});

type Facts = NonNullable<AuditedAction['before']>;

/** The same fields for the audit log, readable years later. */
const toFacts = (row: CatalogueRow): Facts => ({
  title: row.title,
  week: row.week,
  year: row.year,
  genre: row.genre,
  series: row.series,
  bpm: row.bpm,
  description: row.description,
  subscribersOnly: row.is_subscriber_only === 1,
  downloads: row.has_downloads === 1,
  lossless: row.has_lossless === 1,
  saving: row.has_saving === 1,
  previewStart: toSeconds(row.preview_start_ms),
  release: row.publish_at && new Date(row.publish_at).toISOString(),
  cover: row.cover_key,
});

const tracklistOf = (row: CatalogueRow): string[] =>
  formatTracklist(readChapters(row)).split('\n').filter(Boolean);

/** Only the lines that the other one doesn't have; all lines if only their order or number differs. */
function compareTracklists(before: CatalogueRow, after: CatalogueRow): [Facts, Facts] {
  const [was, is] = [tracklistOf(before), tracklistOf(after)];
  if (was.join('\n') === is.join('\n')) return [{}, {}];
  const without = (lines: string[], others: string[]) =>
    lines.filter((line) => !others.includes(line));
  const [removed, added] = [without(was, is), without(is, was)];
  const isReordered = removed.length === 0 && added.length === 0;
  const toFact = (lines: string[]) => ({ tracklist: lines.join('\n') || null });
  return isReordered ? [toFact(was), toFact(is)] : [toFact(removed), toFact(added)];
}

function compareFacts(before: CatalogueRow, after: CatalogueRow): { before: Facts; after: Facts } {
  const [was, is] = [toFacts(before), toFacts(after)];
  const changed = Object.keys(is).filter((name) => was[name] !== is[name]);
  const pick = (facts: Facts) =>
    Object.fromEntries(changed.map((name) => [name, facts[name] ?? null]));
  const [removed, added] =
    before.chapters === after.chapters ? [{}, {}] : compareTracklists(before, after);
  return { before: { ...pick(was), ...removed }, after: { ...pick(is), ...added } };
}

type Change = Pick<AuditedAction, 'actor' | 'action' | 'reason'> & { now: number };

/** The artists of a track before and after a change. */
export type ArtistChange = { before: readonly ArtistName[]; after: readonly ArtistName[] };

function compareArtists({ before, after }: ArtistChange): { before: Facts; after: Facts } {
  const toText = (artists: readonly ArtistName[]) =>
    artists.map(({ name }) => name).join(', ') || null;
  const [was, is] = [toText(before), toText(after)];
  return was === is
    ? { before: {}, after: {} }
    : { before: { artists: was }, after: { artists: is } };
}

const NO_ARTISTS: ArtistChange = { before: [], after: [] };

/** In the transaction of the change: who did what to which track, and what it was before. */
export function recordChange(
  tx: Tx,
  { actor, action, reason, now }: Change,
  before: CatalogueRow,
  after: CatalogueRow = before,
  artists: ArtistChange = NO_ARTISTS,
): Promise<string> {
  const facts = compareFacts(before, after);
  const names = compareArtists(artists);
  return recordAction(
    tx,
    {
      actor,
      action,
      subject: { kind: 'track', id: after.id },
      ...(reason !== undefined && { reason }),
      before: { ...facts.before, ...names.before },
      after: { ...facts.after, ...names.after },
    },
    now,
  );
}

export const invalidField = (field: string, message: string): AppError =>
  new AppError('validation_failed', { message, fields: { [field]: message } });

/** Throws when the year has no such week, or the release time has passed. */
export function assertValidChange(
  change: Pick<TrackChange, 'release' | 'week' | 'year'>,
  slot: { year: number; week: number },
  now: number,
): void {
  const isMoved = change.week !== undefined || change.year !== undefined;
  const slotProblem = isMoved ? findSlotProblem(slot) : null;
  if (slotProblem) throw invalidField('week', slotProblem);
  const releaseProblem = change.release ? findReleaseProblem(change.release, now) : null;
  if (releaseProblem) throw invalidField('release', releaseProblem);
}
