import type { CatalogueDetail, CatalogueSort, CatalogueTrack } from '#contract/catalogue.ts';
import type { TrackChange, TrackFields } from '#contract/track-fields.ts';
import type { PageQuery } from '#contract/paging.ts';
import { PREVIEW_MS } from '#contract/rules/preview.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { startIngest, recutPreview, restartIngest, requestRetag } from '../ingest/service.ts';
import { publishSignal } from '../live/service.ts';
import { indexTrack } from '../search/service.ts';
import { assertPossible, toColumns, toNewRow } from './track-columns.ts';
import { presentCatalogueTrack, presentCatalogueDetail } from './present-track.ts';
import { recordChange } from './record-change.ts';
import {
  updateTrack,
  countStates,
  findTrack,
  findTracks,
  insertTrack,
  listCatalogue,
  listCatalogueGenres,
  listCatalogueYears,
  loadRelations,
  type CatalogueFilter,
  type CatalogueRow,
} from './queries.ts';

export { assertPossible } from './track-columns.ts';
export { coverUrlOf } from './present-track.ts';
export { dropUnusedCover, storeCover } from './cover-file.ts';

type ListInput = CatalogueFilter & PageQuery & { sort?: CatalogueSort | undefined };

export async function readCatalogue(
  { database: { db }, clock }: Deps,
  { cursor, limit, sort = 'week', ...filter }: ListInput,
): Promise<{ items: CatalogueTrack[]; nextCursor: string | null }> {
  const now = clock.now();
  const page = { cursor, limit };
  const { rows, nextCursor } = await listCatalogue(db, { filter, sort, now }, page);
  const ids = rows.map((row) => row.id);
  const context = { ...(await loadRelations(db, ids)), now };
  return { items: rows.map((row) => presentCatalogueTrack(row, context)), nextCursor };
}

/** For other features: mixes as the catalogue shows them, by id. */
export async function findCatalogueTracks(
  { database: { db }, clock }: Deps,
  ids: readonly string[],
): Promise<Map<string, CatalogueTrack>> {
  const rows = await findTracks(db, ids);
  const context = { ...(await loadRelations(db, ids)), now: clock.now() };
  return new Map(rows.map((row) => [row.id, presentCatalogueTrack(row, context)]));
}

export async function readCatalogueFacets({ database: { db }, clock }: Deps) {
  const [years, genres, states] = await Promise.all([
    listCatalogueYears(db),
    listCatalogueGenres(db),
    countStates(db, clock.now()),
  ]);
  return { years, genres, states };
}

export async function getTrack(db: Db, id: string): Promise<CatalogueRow> {
  const mix = await findTrack(db, id);
  if (!mix) throw new AppError('not_found');
  return mix;
}

/** What is deleted is brought back first: nothing is added to what goes. */
export async function getEditableTrack(db: Db, id: string): Promise<CatalogueRow> {
  const mix = await getTrack(db, id);
  if (mix.deleted_at !== null)
    throw new AppError('not_found', { message: 'This mix was deleted. Bring it back first.' });
  return mix;
}

export async function getCatalogueDetail(deps: Deps, id: string): Promise<CatalogueDetail> {
  const { database, storage, clock } = deps;
  const row = await getTrack(database.db, id);
  const context = { ...(await loadRelations(database.db, [id])), now: clock.now() };
  const master = row.master_key ? await storage.stat(row.master_key) : null;
  return presentCatalogueDetail(row, context, master?.size ?? null);
}

/** In the caller's transaction: whatever follows from a mix being written. */
export async function propagateTrackChange(deps: Deps, tx: Tx, mix: CatalogueRow) {
  const now = deps.clock.now();
  await indexTrack(tx, deps.database.dialect, mix);
  const { files } = await loadRelations(tx, [mix.id]);
  await requestRetag(deps, tx, mix, files);
  await publishSignal(tx, 'admin:tracks', now);
}

type NewTrack = {
  id: string;
  mix: TrackFields & { bpm: number | null };
  coverKey: string | null;
  sha256: string;
  runId: string;
  masterKey: string;
  /** Who sent the file; null for the console. */
  userId: string | null;
};

const senderOf = (userId: string | null) => (userId === null ? 'console' : { userId });

/** For uploads, in their transaction: a file has become a mix, and its sound is asked for. */
export async function createTrack(deps: Deps, tx: Tx, { mix, ...upload }: NewTrack) {
  const now = deps.clock.now();
  const { id, runId, masterKey, userId } = upload;
  const row = toNewRow(mix, { ...upload, now });
  await insertTrack(tx, row);
  await startIngest(tx, { trackId: id, runId, masterKey, now });
  await recordChange(tx, { actor: senderOf(userId), act: 'track.uploaded', now }, row);
  await propagateTrackChange(deps, tx, row);
}

/** For uploads: another sound under the same plays, favorites and address. */
export async function replaceAudio(
  { clock }: Deps,
  tx: Tx,
  { id, sha256, runId, masterKey, userId }: Omit<NewTrack, 'mix' | 'coverKey'>,
) {
  const now = clock.now();
  await startIngest(tx, { trackId: id, runId, masterKey, now });
  const mix = await getTrack(tx, id);
  await updateTrack(tx, mix, { master_sha256: sha256 });
  await recordChange(tx, { actor: senderOf(userId), act: 'track.audio-replaced', now }, mix);
  await publishSignal(tx, 'admin:tracks', now);
}

/** Inside the mix; and once there is a preview, it begins somewhere. */
function placePreview(
  { status, duration_ms, preview_start_ms }: CatalogueRow,
  { previewStart }: TrackChange,
): Pick<Partial<CatalogueRow>, 'preview_start_ms'> {
  if (previewStart === undefined || status !== 'ready') return {};
  const latest = Math.max(0, duration_ms - PREVIEW_MS);
  return {
    preview_start_ms:
      previewStart === null ? preview_start_ms : Math.min(Math.round(previewStart * 1000), latest),
  };
}

/** One transaction, and only from the version that was looked at. */
export async function editTrack(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { version, ...change }: TrackChange & { version: number },
): Promise<CatalogueDetail> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const before = await getEditableTrack(tx, id);
    if (before.version !== version) throw new AppError('track_changed');
    const slot = { year: change.year ?? before.year, week: change.week ?? before.week };
    assertPossible(change, slot, now);
    const columns = { ...toColumns(change, now), ...placePreview(before, change), updated_at: now };
    const mix = await updateTrack(tx, before, columns);
    if (!mix) throw new AppError('track_changed');
    await recordChange(tx, { actor: viewer, act: 'track.edited', now }, before, mix);
    await propagateTrackChange(deps, tx, mix);
    const isRecut = mix.preview_start_ms !== before.preview_start_ms && mix.status === 'ready';
    if (isRecut && mix.master_key) await recutPreview(tx, mix, now);
  });
  jobs.wake();
  return getCatalogueDetail(deps, id);
}

export async function reprocessTrack(
  deps: Deps,
  viewer: Viewer,
  id: string,
): Promise<CatalogueDetail> {
  const { database, storage, clock, jobs } = deps;
  const { master_key: masterKey } = await getEditableTrack(database.db, id);
  if (!masterKey || !(await storage.stat(masterKey))) throw new AppError('no_master');
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    // Looking for the file takes a while, in which somebody may have deleted or replaced it.
    const before = await getEditableTrack(tx, id);
    if (before.master_key !== masterKey) throw new AppError('track_changed');
    await restartIngest(tx, { trackId: id, masterKey, now });
    await recordChange(tx, { actor: viewer, act: 'track.processed', now }, before);
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
  return getCatalogueDetail(deps, id);
}
