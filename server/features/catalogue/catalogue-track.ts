import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { requestRetag } from '../ingest/service.ts';
import { publishSignal } from '../live/service.ts';
import { indexTrack } from '../search/service.ts';
import { presentCatalogueDetail } from './present-track.ts';
import { findTrack, loadRelations, type CatalogueRow } from './queries.ts';

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
  return presentCatalogueDetail(row, context, master?.size ?? null);
}

/** In the transaction of every change: updates the search index, the download tags and open pages. */
export async function propagateTrackChange(deps: Deps, tx: Tx, track: CatalogueRow) {
  await indexTrack(tx, deps.database.dialect, track);
  const { files } = await loadRelations(tx, [track.id]);
  await requestRetag(deps, tx, track, files);
  await publishSignal(tx, 'admin:tracks', deps.clock.now());
}
