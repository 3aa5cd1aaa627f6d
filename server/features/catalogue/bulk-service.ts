import type { BulkChange } from '#contract/catalogue.ts';
import { findReleaseProblem } from '#contract/mix-fields.ts';
import { DELETED_MIX_MS } from '#contract/rules/deleted-mix.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { refuseField } from './change-mix.ts';
import { changeMix, findMixes, type CatalogueRow } from './queries.ts';
import { followChange } from './service.ts';

/** What becomes of one mix; null where nothing has to. */
export function decideBulk(
  change: BulkChange,
  mix: CatalogueRow,
  now: number,
): Partial<CatalogueRow> | null {
  const isDeleted = mix.deleted_at !== null;
  if (change.action === 'restore') {
    const isOver = mix.purged_at !== null || now - (mix.deleted_at ?? 0) >= DELETED_MIX_MS;
    if (!isDeleted || isOver) return null;
    return { deleted_at: null, publish_at: mix.restore_publish_at, restore_publish_at: null };
  }
  if (isDeleted) return null;
  if (change.action === 'delete')
    // Without a release time nobody finds it, wherever they look.
    return { deleted_at: now, publish_at: null, restore_publish_at: mix.publish_at };
  if (change.action === 'move')
    return mix.year === change.year && mix.week === change.week
      ? null
      : { year: change.year, week: change.week };
  if (change.action === 'unpublish') return mix.publish_at === null ? null : { publish_at: null };
  if (change.action === 'schedule') return { publish_at: change.at };
  // What is out already keeps the time at which it came out.
  return mix.publish_at !== null && mix.publish_at <= now ? null : { publish_at: now };
}

/** All of them in one transaction. What is in that state already stays as it is. */
export async function changeMany(deps: Deps, change: BulkChange): Promise<{ changed: string[] }> {
  const { database, clock } = deps;
  const now = clock.now();
  if (change.action === 'schedule') {
    const problem = findReleaseProblem({ kind: 'at', at: change.at }, now);
    if (problem) throw refuseField('at', problem);
  }
  const ids = [...new Set(change.ids)];
  return database.db.transaction().execute(async (tx) => {
    const mixes = await findMixes(tx, ids);
    if (mixes.length < ids.length) throw new AppError('not_found');
    const changed: string[] = [];
    for (const before of mixes) {
      const columns = decideBulk(change, before, now);
      if (!columns) continue;
      const mix = await changeMix(tx, before, { ...columns, updated_at: now });
      if (!mix) throw new AppError('track_changed');
      await followChange(deps, tx, mix);
      changed.push(mix.id);
    }
    return { changed };
  });
}
