import type { CatalogueDetail, CatalogueState, CatalogueTrack } from '#contract/admin/catalogue.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { requestRetag } from '../ingest/service.ts';
import { publishSignal } from '../live/service.ts';
import { indexTrack } from '../search/service.ts';
import { findTrack, loadRelations, type CatalogueRow } from './queries.ts';
import { findOpenTakeDown } from './take-down-queries.ts';
import { toValues } from './track-fields.ts';

export async function getTrack(db: Db, id: string): Promise<CatalogueRow> {
  const track = await findTrack(db, id);
  if (!track) throw new AppError('not_found');
  return track;
}

/** Throws for a deleted track: it must be restored before anyone can change it. */
export async function getEditableTrack(db: Db, id: string): Promise<CatalogueRow> {
  const track = await getTrack(db, id);
  if (track.deleted_at !== null)
    throw new AppError('not_found', { message: 'This mix was deleted. Restore it first.' });
  return track;
}

export async function getCatalogueDetail(deps: Deps, id: string): Promise<CatalogueDetail> {
  const { database, storage, clock } = deps;
  const row = await getTrack(database.db, id);
  const context = { ...(await loadRelations(database.db, [id])), now: clock.now() };
  const master = row.master_key ? await storage.stat(row.master_key) : null;
  const takeDown = row.taken_down_at === null ? null : await findOpenTakeDown(database.db, id);
  return {
    ...presentCatalogueTrack(row, context),
    ...toValues(row, context.artists.get(row.id) ?? []),
    masterSize: master?.size ?? null,
    takeDown,
  };
}

/** It may be changed, but neither published nor deleted: the case needs it as it is. */
export function assertNotTakenDown({ taken_down_at, title }: CatalogueRow): void {
  if (taken_down_at === null) return;
  const message = `“${title}” was taken down on a complaint. Put it back first.`;
  throw new AppError('taken_down', { message });
}

/** In the transaction of every change: updates the search index, the download tags and open pages. */
export async function propagateTrackChange(deps: Deps, tx: Tx, track: CatalogueRow) {
  await indexTrack(tx, deps.database.dialect, track);
  const { files } = await loadRelations(tx, [track.id]);
  await requestRetag(deps, tx, track, files);
  await publishSignal(tx, 'admin:tracks', deps.clock.now());
}

type CatalogueContext = Awaited<ReturnType<typeof loadRelations>> & { now: number };

function findState(
  { deleted_at, taken_down_at, status, publish_at }: CatalogueRow,
  now: number,
): CatalogueState {
  if (deleted_at !== null) return 'deleted';
  if (taken_down_at !== null) return 'takenDown';
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
  const artists = context.artists.get(row.id) ?? [];
  const { title, year, week, genre, isSubscriberOnly, publishAt } = toValues(row, artists);
  return {
    id: row.id,
    title,
    artists,
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
