import type { CatalogueDetail, CatalogueSort, CatalogueTrack } from '#contract/catalogue.ts';
import type { MixChange, MixFields } from '#contract/mix-fields.ts';
import type { PageQuery } from '#contract/paging.ts';
import { PREVIEW_MS } from '#contract/rules/preview.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { beginIngest, recutPreview, repeatIngest, requestRetag } from '../ingest/service.ts';
import { publishSignal } from '../live/service.ts';
import { indexTrack } from '../search/service.ts';
import { assertPossible, toColumns, toNewRow } from './change-mix.ts';
import { presentMix, presentMixDetail } from './present-mix.ts';
import { recordChange } from './record-change.ts';
import {
  changeMix,
  countStates,
  findMix,
  findMixes,
  insertMix,
  listCatalogue,
  listCatalogueGenres,
  listCatalogueYears,
  readBeside,
  type CatalogueFilter,
  type CatalogueRow,
} from './queries.ts';

export { assertPossible } from './change-mix.ts';
export { coverUrlOf } from './present-mix.ts';
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
  const context = { ...(await readBeside(db, ids)), now };
  return { items: rows.map((row) => presentMix(row, context)), nextCursor };
}

/** For other features: mixes as the catalogue shows them, by id. */
export async function readMixes(
  { database: { db }, clock }: Deps,
  ids: readonly string[],
): Promise<Map<string, CatalogueTrack>> {
  const rows = await findMixes(db, ids);
  const context = { ...(await readBeside(db, ids)), now: clock.now() };
  return new Map(rows.map((row) => [row.id, presentMix(row, context)]));
}

export async function readCatalogueFacets({ database: { db }, clock }: Deps) {
  const [years, genres, states] = await Promise.all([
    listCatalogueYears(db),
    listCatalogueGenres(db),
    countStates(db, clock.now()),
  ]);
  return { years, genres, states };
}

export async function requireMix(db: Db, id: string): Promise<CatalogueRow> {
  const mix = await findMix(db, id);
  if (!mix) throw new AppError('not_found');
  return mix;
}

/** What is deleted is brought back first: nothing is added to what goes. */
export async function requireLiveMix(db: Db, id: string): Promise<CatalogueRow> {
  const mix = await requireMix(db, id);
  if (mix.deleted_at !== null)
    throw new AppError('not_found', { message: 'This mix was deleted. Bring it back first.' });
  return mix;
}

export async function readMixDetail(deps: Deps, id: string): Promise<CatalogueDetail> {
  const { database, storage, clock } = deps;
  const row = await requireMix(database.db, id);
  const context = { ...(await readBeside(database.db, [id])), now: clock.now() };
  const master = row.master_key ? await storage.stat(row.master_key) : null;
  return presentMixDetail(row, context, master?.size ?? null);
}

/** In the caller's transaction: whatever follows from a mix being written. */
export async function followChange(deps: Deps, tx: Tx, mix: CatalogueRow) {
  const now = deps.clock.now();
  await indexTrack(tx, deps.database.dialect, mix);
  const { files } = await readBeside(tx, [mix.id]);
  await requestRetag(deps, tx, mix, files);
  await publishSignal(tx, 'admin:tracks', now);
}

type NewMix = {
  id: string;
  mix: MixFields & { bpm: number | null };
  coverKey: string | null;
  sha256: string;
  ingestId: string;
  masterKey: string;
  /** Who sent the file; null for the console. */
  userId: string | null;
};

const senderOf = (userId: string | null) => (userId === null ? 'console' : { userId });

/** For uploads, in their transaction: a file has become a mix, and its sound is asked for. */
export async function createMix(deps: Deps, tx: Tx, { mix, ...upload }: NewMix) {
  const now = deps.clock.now();
  const { id, ingestId, masterKey, userId } = upload;
  const row = toNewRow(mix, { ...upload, now });
  await insertMix(tx, row);
  await beginIngest(tx, { trackId: id, ingestId, masterKey, now });
  await recordChange(tx, { actor: senderOf(userId), act: 'track.uploaded', now }, row);
  await followChange(deps, tx, row);
}

/** For uploads: another sound under the same plays, favorites and address. */
export async function replaceSound(
  { clock }: Deps,
  tx: Tx,
  { id, sha256, ingestId, masterKey, userId }: Omit<NewMix, 'mix' | 'coverKey'>,
) {
  const now = clock.now();
  await beginIngest(tx, { trackId: id, ingestId, masterKey, now });
  const mix = await requireMix(tx, id);
  await changeMix(tx, mix, { master_sha256: sha256 });
  await recordChange(tx, { actor: senderOf(userId), act: 'track.sound-replaced', now }, mix);
  await publishSignal(tx, 'admin:tracks', now);
}

/** Inside the mix; and once there is a preview, it begins somewhere. */
function placePreview(
  { status, duration_ms, preview_start_ms }: CatalogueRow,
  { previewStart }: MixChange,
): Pick<Partial<CatalogueRow>, 'preview_start_ms'> {
  if (previewStart === undefined || status !== 'ready') return {};
  const latest = Math.max(0, duration_ms - PREVIEW_MS);
  return {
    preview_start_ms:
      previewStart === null ? preview_start_ms : Math.min(Math.round(previewStart * 1000), latest),
  };
}

/** One transaction, and only from the version that was looked at. */
export async function editMix(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { version, ...change }: MixChange & { version: number },
): Promise<CatalogueDetail> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const before = await requireLiveMix(tx, id);
    if (before.version !== version) throw new AppError('track_changed');
    const slot = { year: change.year ?? before.year, week: change.week ?? before.week };
    assertPossible(change, slot, now);
    const columns = { ...toColumns(change, now), ...placePreview(before, change), updated_at: now };
    const mix = await changeMix(tx, before, columns);
    if (!mix) throw new AppError('track_changed');
    await recordChange(tx, { actor: viewer, act: 'track.edited', now }, before, mix);
    await followChange(deps, tx, mix);
    const isRecut = mix.preview_start_ms !== before.preview_start_ms && mix.status === 'ready';
    if (isRecut && mix.master_key) await recutPreview(tx, mix, now);
  });
  jobs.wake();
  return readMixDetail(deps, id);
}

export async function reprocessMix(
  deps: Deps,
  viewer: Viewer,
  id: string,
): Promise<CatalogueDetail> {
  const { database, storage, clock, jobs } = deps;
  const { master_key: masterKey } = await requireLiveMix(database.db, id);
  if (!masterKey || !(await storage.stat(masterKey))) throw new AppError('no_master');
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    // Looking for the file takes a while, in which somebody may have deleted or replaced it.
    const before = await requireLiveMix(tx, id);
    if (before.master_key !== masterKey) throw new AppError('track_changed');
    await repeatIngest(tx, { trackId: id, masterKey, now });
    await recordChange(tx, { actor: viewer, act: 'track.processed', now }, before);
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
  return readMixDetail(deps, id);
}
