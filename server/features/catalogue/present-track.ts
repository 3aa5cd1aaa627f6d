import type { CatalogueDetail, CatalogueState, CatalogueTrack } from '#contract/catalogue.ts';
import type { Chapter } from '#contract/tracks.ts';
import type { CatalogueRow, loadRelations } from './queries.ts';

export type CatalogueContext = Awaited<ReturnType<typeof loadRelations>> & { now: number };

export function describeState(
  { deleted_at, status, publish_at }: CatalogueRow,
  now: number,
): CatalogueState {
  if (deleted_at !== null) return 'deleted';
  if (status !== 'ready') return status;
  if (publish_at === null) return 'draft';
  return publish_at > now ? 'scheduled' : 'published';
}

export const coverUrlOf = (key: string | null): string | null =>
  key && `/media/covers/${key.split('/').at(-1)}`;

/** A picture that could not be taken is told until the mix has another one. */
const findCoverRefusal = ({ cover_key }: CatalogueRow, stages: CatalogueContext['stages']) =>
  cover_key === null
    ? (stages.find(({ coverRefusal }) => coverRefusal !== null)?.coverRefusal ?? null)
    : null;

export function presentCatalogueTrack(
  row: CatalogueRow,
  context: CatalogueContext,
): CatalogueTrack {
  const stages = context.stages.filter((done) => done.track_id === row.id);
  const figures = context.figures.find((other) => other.track_id === row.id);
  return {
    id: row.id,
    title: row.title,
    year: row.year,
    weekNumber: row.week,
    genre: row.genre,
    duration: row.duration_ms / 1000,
    coverUrl: coverUrlOf(row.cover_key),
    state: describeState(row, context.now),
    progress: row.progress,
    stages: stages.map(({ stage }) => stage),
    failure: row.failure ?? findCoverRefusal(row, stages),
    isSubscriberOnly: row.is_subscriber_only === 1,
    publishAt: row.deleted_at === null ? row.publish_at : row.restore_publish_at,
    deletedAt: row.deleted_at,
    updatedAt: row.updated_at,
    version: row.version,
    figures: {
      plays: row.play_count,
      listeners: figures?.listeners ?? 0,
      favorites: figures?.favorites ?? 0,
      downloads: figures?.downloads ?? 0,
    },
    files: context.files
      .filter((file) => file.track_id === row.id)
      .map(({ name, size }) => ({ name, size })),
  };
}

export const presentCatalogueDetail = (
  row: CatalogueRow,
  context: CatalogueContext,
  masterSize: number | null,
): CatalogueDetail => ({
  ...presentCatalogueTrack(row, context),
  description: row.description,
  chapters: JSON.parse(row.chapters) as Chapter[],
  previewStart: row.preview_start_ms === null ? null : row.preview_start_ms / 1000,
  masterSize,
});
