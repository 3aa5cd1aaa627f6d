import type { CatalogueDetail } from '#contract/catalogue.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { enqueue } from '../../jobs/queue.ts';
import { dropUnusedCover, storeCover } from './cover-file.ts';
import { updateTrack } from './queries.ts';
import { recordChange } from './record-change.ts';
import { propagateTrackChange, getCatalogueDetail, getEditableTrack } from './service.ts';

async function switchCover(
  deps: Deps,
  viewer: Viewer,
  id: string,
  key: string | null,
): Promise<CatalogueDetail> {
  const now = deps.clock.now();
  await deps.database.db.transaction().execute(async (tx) => {
    const before = await getEditableTrack(tx, id);
    const mix = await updateTrack(tx, before, { cover_key: key, updated_at: now });
    if (!mix) throw new AppError('track_changed');
    await recordChange(tx, { actor: viewer, act: 'track.cover-changed', now }, before, mix);
    if (before.cover_key) await enqueue(tx, dropUnusedCover, { key: before.cover_key }, { now });
    await propagateTrackChange(deps, tx, mix);
  });
  deps.jobs.wake();
  return getCatalogueDetail(deps, id);
}

export async function replaceCover(deps: Deps, viewer: Viewer, id: string, bytes: Buffer) {
  await getEditableTrack(deps.database.db, id);
  return switchCover(deps, viewer, id, await storeCover(deps, bytes));
}

export const removeCover = (deps: Deps, viewer: Viewer, id: string) =>
  switchCover(deps, viewer, id, null);
