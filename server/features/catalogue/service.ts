import type { CatalogueDetail, CatalogueSort, CatalogueTrack } from '#contract/admin/catalogue.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import { PREVIEW_MS } from '#contract/rules/preview.ts';
import type { TrackChange, TrackFields } from '#contract/track-fields.ts';
import { buildTrack } from '../../db/build-rows.ts';
import type { Tx } from '../../db/connect.ts';
import { readEntries } from '../../db/read-chapters.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { recutPreview, restartIngest, startIngest } from '../ingest/service.ts';
import { publishSignal } from '../live/service.ts';
import {
  assertNotTakenDown,
  getCatalogueDetail,
  getEditableTrack,
  getTrack,
  propagateTrackChange,
  presentCatalogueTrack,
} from './catalogue-track.ts';
import {
  countStates,
  findTracks,
  insertTrack,
  listCatalogue,
  listCatalogueNames,
  listCatalogueYears,
  loadRelations,
  setMaster,
  updateTrack,
  type CatalogueFilter,
  type CatalogueRow,
} from './queries.ts';
import { indexRecordings, linkRecordings, lockLinks, recordLinked } from '../recordings/service.ts';
import { setTrackArtists } from './track-artists.ts';
import { findPreviewMoveCost } from '../clips/service.ts';
import {
  assertValidChange,
  invalidField,
  isKeptOtherwise,
  recordChange,
  toColumns,
} from './track-fields.ts';

export { deleteUnusedCover, removeCover, storeCover, storeExportedCover } from './covers.ts';
export { findTracks } from './queries.ts';
export { deleteFiles } from './purge.ts';
export { listTakeDownsOf } from './take-down-queries.ts';
export { importTakeDowns } from './take-downs.ts';
export {
  getCatalogueDetail,
  getEditableTrack,
  propagateTrackChange,
  toCoverUrl,
} from './catalogue-track.ts';
export { assertValidChange } from './track-fields.ts';

type ListInput = CatalogueFilter & PageQuery & { sort?: CatalogueSort | undefined };

export async function listCatalogueTracks(
  { database: { db }, clock }: Deps,
  { cursor, limit, sort = 'week', ...filter }: ListInput,
): Promise<Page<CatalogueTrack>> {
  const now = clock.now();
  const page = { cursor, limit };
  const { rows, nextCursor } = await listCatalogue(db, { filter, sort, now }, page);
  const ids = rows.map((row) => row.id);
  const context = { ...(await loadRelations(db, ids)), now };
  return { items: rows.map((row) => presentCatalogueTrack(row, context)), nextCursor };
}

/** For other features: tracks by id, as the catalogue shows them. */
export async function findCatalogueTracks(
  { database: { db }, clock }: Deps,
  ids: readonly string[],
): Promise<Map<string, CatalogueTrack>> {
  const rows = await findTracks(db, ids);
  const context = { ...(await loadRelations(db, ids)), now: clock.now() };
  return new Map(rows.map((row) => [row.id, presentCatalogueTrack(row, context)]));
}

export async function getCatalogueFacets({ database: { db }, clock }: Deps) {
  const now = clock.now();
  const [years, genres, series, states, settings] = await Promise.all([
    listCatalogueYears(db),
    listCatalogueNames(db, 'genre'),
    listCatalogueNames(db, 'series'),
    countStates(db, now),
    readSettings(db, now),
  ]);
  const { releaseDay, releaseHour, earlyAccessHours } = settings;
  const rhythm = { releaseDay, releaseHour, earlyAccessHours };
  return { years, genres, series, states, rhythm };
}

type NewAudio = {
  id: string;
  sha256: string;
  runId: string;
  masterKey: string;
  /** Who sent the file; null for the console. */
  userId: string | null;
};
type NewTrack = NewAudio & { fields: TrackFields; coverKey: string | null };

const toActor = (userId: string | null) => (userId === null ? 'console' : { userId });

/** For uploads, in their transaction: creates the track and starts processing its audio. */
export async function createTrack(deps: Deps, tx: Tx, { fields, ...upload }: NewTrack) {
  const now = deps.clock.now();
  const { id, coverKey, sha256, runId, masterKey, userId } = upload;
  const { title, year, week } = fields;
  await lockLinks(tx, deps.database.dialect);
  const linked = await linkRecordings(tx, fields.chapters, [], now);
  const track = buildTrack({
    id,
    title,
    year,
    week,
    ...toColumns(fields, now),
    chapters: JSON.stringify(linked.entries),
    cover_key: coverKey,
    master_sha256: sha256,
    created_at: now,
  });
  await insertTrack(tx, track);
  await indexRecordings(tx, id, linked.entries);
  if (fields.artists.length > 0) await setTrackArtists(tx, id, fields.artists, now);
  await startIngest(tx, { trackId: id, runId, masterKey, now });
  const actor = toActor(userId);
  await recordChange(tx, { actor, action: 'track.uploaded', now }, track);
  await recordLinked(tx, { actor, trackId: id, now }, linked);
  await propagateTrackChange(deps, tx, track);
}

/**
 * For uploads, in their transaction: new audio for a track that keeps its plays, favorites and link.
 * Its version stays too: nobody edited its fields, and an open edit form can still be saved.
 */
export async function replaceAudio(
  { clock }: Deps,
  tx: Tx,
  { id, sha256, runId, masterKey, userId }: NewAudio,
) {
  const now = clock.now();
  await startIngest(tx, { trackId: id, runId, masterKey, now });
  const track = await getTrack(tx, id);
  await setMaster(tx, id, sha256);
  await recordChange(tx, { actor: toActor(userId), action: 'track.audio-replaced', now }, track);
  await publishSignal(tx, 'admin:tracks', now);
}

/** The preview of a processed track must start inside it; null keeps the current start. */
function limitPreviewStart(
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

const describePreviewMove = ({ used, limit }: { used: number; limit: number }): string =>
  `Clips of this mix are in the preview. With the preview here, they would give away ${used} seconds beyond it, and the limit is ${limit}. Choose a start nearer to the present one, or allow more seconds under Releases and mail.`;

/** Only from the version that the administrator edited. */
export async function editTrack(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { version, ...change }: TrackChange & { version: number },
): Promise<CatalogueDetail> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    if (change.chapters) await lockLinks(tx, database.dialect);
    const before = await getEditableTrack(tx, id);
    if (before.version !== version) throw new AppError('track_changed');
    const slot = { year: change.year ?? before.year, week: change.week ?? before.week };
    assertValidChange(change, slot, now);
    if (change.release && change.release.kind !== 'draft') assertNotTakenDown(before);
    const previewStart = limitPreviewStart(before, change);
    const linked =
      change.chapters && (await linkRecordings(tx, change.chapters, readEntries(before), now));
    const columns = {
      ...toColumns(change, now),
      ...(linked && { chapters: JSON.stringify(linked.entries) }),
      ...previewStart,
      updated_at: now,
    };
    const track = await updateTrack(tx, before, columns);
    if (!track) throw new AppError('track_changed');
    if (linked) await indexRecordings(tx, id, linked.entries);
    const cost = await findPreviewMoveCost(tx, before, track, now);
    if (cost) throw invalidField('previewStart', describePreviewMove(cost));
    const artists = change.artists && (await setTrackArtists(tx, id, change.artists, now));
    const action = { actor: viewer, action: 'track.edited', now };
    await recordChange(tx, action, before, track, artists);
    if (linked) await recordLinked(tx, { actor: viewer, trackId: id, now }, linked);
    await propagateTrackChange(deps, tx, track);
    if (isKeptOtherwise(before, track)) await publishSignal(tx, 'everyone/mixes', now);
    const isRecut = track.preview_start_ms !== before.preview_start_ms && track.status === 'ready';
    if (isRecut && track.master_key) await recutPreview(tx, track, now);
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
    // Looking for the file takes time in which someone may have deleted or replaced it.
    const before = await getEditableTrack(tx, id);
    if (before.master_key !== masterKey) throw new AppError('track_changed');
    await restartIngest(tx, { trackId: id, masterKey, now });
    await recordChange(tx, { actor: viewer, action: 'track.processed', now }, before);
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
  return getCatalogueDetail(deps, id);
}
