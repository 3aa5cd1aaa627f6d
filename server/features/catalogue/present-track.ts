import type { CatalogueDetail, CatalogueState, CatalogueTrack } from '#contract/admin/catalogue.ts';
import type { CatalogueRow, loadRelations } from './queries.ts';
import { toValues } from './track-fields.ts';

type CatalogueContext = Awaited<ReturnType<typeof loadRelations>> & { now: number };

function findState({ deleted_at, status, publish_at }: CatalogueRow, now: number): CatalogueState {
  if (deleted_at !== null) return 'deleted';
  if (status !== 'ready') return status;
  if (publish_at === null) return 'draft';
  return publish_at > now ? 'scheduled' : 'published';
}

export const toCoverUrl = (key: string | null): string | null =>
  key && `/media/covers/${key.split('/').at(-1)}`;

/** Why the picture in the audio file was rejected, until the track has a cover. */
const findCoverRefusal = ({ cover_key }: CatalogueRow, stages: CatalogueContext['stages']) =>
  cover_key === null
    ? (stages.find(({ coverRefusal }) => coverRefusal !== null)?.coverRefusal ?? null)
    : null;

export function presentCatalogueTrack(
  row: CatalogueRow,
  context: CatalogueContext,
): CatalogueTrack {
  const stages = context.stages.filter((stage) => stage.track_id === row.id);
  const figures = context.figures.find((other) => other.track_id === row.id);
  const { title, year, week, genre, isSubscriberOnly, publishAt } = toValues(row);
  return {
    id: row.id,
    title,
    year,
    weekNumber: week,
    genre,
    duration: row.duration_ms / 1000,
    coverUrl: toCoverUrl(row.cover_key),
    state: findState(row, context.now),
    progress: row.progress,
    stages: stages.map(({ stage }) => stage),
    failure: row.failure ?? findCoverRefusal(row, stages),
    isSubscriberOnly,
    publishAt,
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
): CatalogueDetail => ({ ...presentCatalogueTrack(row, context), ...toValues(row), masterSize });
