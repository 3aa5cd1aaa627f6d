import {
  findReleaseProblem,
  findSlotProblem,
  toPublishAt,
  type TrackChange,
  type TrackFields,
} from '#contract/track-fields.ts';
import { AppError } from '../../http/app-error.ts';
import type { CatalogueRow } from './queries.ts';

/** A sentence at its field, in the words of the form. */
export const refuseField = (field: string, message: string): AppError =>
  new AppError('validation_failed', { message, fields: { [field]: message } });

/** Throws at the field where what is wished cannot be. */
export function assertPossible(
  change: Pick<TrackChange, 'release' | 'week' | 'year'>,
  slot: { year: number; week: number },
  now: number,
): void {
  const isMoved = change.week !== undefined || change.year !== undefined;
  const slotProblem = isMoved ? findSlotProblem(slot) : null;
  if (slotProblem) throw refuseField('week', slotProblem);
  const releaseProblem = change.release ? findReleaseProblem(change.release, now) : null;
  if (releaseProblem) throw refuseField('release', releaseProblem);
}

/** The columns of what is said of a mix. */
export const toColumns = (change: TrackChange, now: number): Partial<CatalogueRow> => ({
  ...(change.title !== undefined && { title: change.title }),
  ...(change.week !== undefined && { week: change.week }),
  ...(change.year !== undefined && { year: change.year }),
  ...(change.genre !== undefined && { genre: change.genre || null }),
  ...(change.description !== undefined && { description: change.description }),
  ...(change.chapters !== undefined && { chapters: JSON.stringify(change.chapters) }),
  ...(change.isSubscriberOnly !== undefined && {
    is_subscriber_only: change.isSubscriberOnly ? (1 as const) : (0 as const),
  }),
  ...(change.previewStart !== undefined && {
    preview_start_ms: change.previewStart === null ? null : Math.round(change.previewStart * 1000),
  }),
  ...(change.release && { publish_at: toPublishAt(change.release, now) }),
});

type NewTrack = TrackFields & { bpm: number | null };

/** A mix before its sound has been looked at. */
export function toNewRow(
  mix: NewTrack,
  {
    id,
    coverKey,
    sha256,
    now,
  }: { id: string; coverKey: string | null; sha256: string; now: number },
): CatalogueRow {
  return {
    id,
    title: mix.title,
    year: mix.year,
    week: mix.week,
    description: mix.description,
    genre: mix.genre || null,
    bpm: mix.bpm,
    duration_ms: 0,
    chapters: JSON.stringify(mix.chapters),
    cover_key: coverKey,
    master_key: null,
    preview_start_ms: mix.previewStart === null ? null : Math.round(mix.previewStart * 1000),
    status: 'processing',
    progress: 0,
    failure: null,
    is_subscriber_only: mix.isSubscriberOnly ? 1 : 0,
    publish_at: toPublishAt(mix.release, now),
    play_count: 0,
    created_at: now,
    updated_at: now,
    version: 0,
    master_sha256: sha256,
    deleted_at: null,
    restore_publish_at: null,
    purged_at: null,
    announced_at: null,
  };
}
