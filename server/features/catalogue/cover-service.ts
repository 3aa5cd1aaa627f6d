import type { CatalogueDetail } from '#contract/catalogue.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { enqueue } from '../../jobs/queue.ts';
import { dropUnusedCover, storeCover } from './cover-file.ts';
import { changeMix } from './queries.ts';
import { followChange, readMixDetail, requireMix } from './service.ts';

async function switchCover(deps: Deps, id: string, key: string | null): Promise<CatalogueDetail> {
  const now = deps.clock.now();
  await deps.database.db.transaction().execute(async (tx) => {
    const before = await requireMix(tx, id);
    const mix = await changeMix(tx, before, { cover_key: key, updated_at: now });
    if (!mix) throw new AppError('track_changed');
    if (before.cover_key) await enqueue(tx, dropUnusedCover, { key: before.cover_key }, { now });
    await followChange(deps, tx, mix);
  });
  deps.jobs.wake();
  return readMixDetail(deps, id);
}

export async function replaceCover(deps: Deps, id: string, bytes: Buffer) {
  await requireMix(deps.database.db, id);
  return switchCover(deps, id, await storeCover(deps, bytes));
}

export const removeCover = (deps: Deps, id: string) => switchCover(deps, id, null);
