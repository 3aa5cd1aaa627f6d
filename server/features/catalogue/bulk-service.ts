import type { BulkChange, BulkUndo } from '#contract/catalogue.ts';
import { findReleaseProblem } from '#contract/track-fields.ts';
import { DELETED_TRACK_MS } from '#contract/rules/deleted-mix.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { refuseField } from './track-columns.ts';
import { updateTrack, findTracks, type CatalogueRow } from './queries.ts';
import { recordChange } from './record-change.ts';
import { propagateTrackChange } from './service.ts';

const acts: Record<BulkChange['action'], string> = {
  publish: 'track.published',
  unpublish: 'track.unpublished',
  schedule: 'track.scheduled',
  move: 'track.moved',
  delete: 'track.deleted',
  restore: 'track.restored',
  revert: 'track.reverted',
};

/** What becomes of one mix; null where nothing has to. */
export function decideBulk(
  change: BulkChange,
  mix: CatalogueRow,
  now: number,
): Partial<CatalogueRow> | null {
  const isDeleted = mix.deleted_at !== null;
  if (change.action === 'revert') {
    const item = change.items.find(({ id }) => id === mix.id);
    // Whoever changed it since then knew what they did.
    if (!item || isDeleted || item.version !== mix.version) throw new AppError('track_changed');
    return { year: item.year, week: item.week, publish_at: item.publishAt };
  }
  if (change.action === 'restore') {
    const isOver = mix.purged_at !== null || now - (mix.deleted_at ?? 0) >= DELETED_TRACK_MS;
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
export async function changeMany(
  deps: Deps,
  viewer: Viewer,
  change: BulkChange,
): Promise<{ changed: string[]; undo: BulkUndo }> {
  const { database, clock } = deps;
  const now = clock.now();
  if (change.action === 'schedule') {
    const problem = findReleaseProblem({ kind: 'at', at: change.at }, now);
    if (problem) throw refuseField('at', problem);
  }
  const wishes = change.action === 'revert' ? change.items.map(({ id }) => id) : change.ids;
  const ids = [...new Set(wishes)];
  return database.db.transaction().execute(async (tx) => {
    const mixes = await findTracks(tx, ids);
    if (mixes.length < ids.length) throw new AppError('not_found');
    const undo: BulkUndo = [];
    for (const before of mixes) {
      const columns = decideBulk(change, before, now);
      if (!columns) continue;
      const mix = await updateTrack(tx, before, { ...columns, updated_at: now });
      if (!mix) throw new AppError('track_changed');
      await recordChange(tx, { actor: viewer, act: acts[change.action], now }, before, mix);
      await propagateTrackChange(deps, tx, mix);
      const { id, year, week, publish_at: publishAt } = before;
      undo.push({ id, version: mix.version, year, week, publishAt });
    }
    return { changed: undo.map(({ id }) => id), undo };
  });
}
