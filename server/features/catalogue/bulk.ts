import type { BulkChange, BulkUndo } from '#contract/admin/catalogue.ts';
import { DELETED_TRACK_MS, findReleaseProblem } from '#contract/track-fields.ts';
import { releaseTimeOf, type ReleaseRhythm } from '#contract/admin/release-time.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { assertNotTakenDown, propagateTrackChange } from './catalogue-track.ts';
import { findTracks, updateTrack, type CatalogueRow } from './queries.ts';
import { invalidField, recordChange } from './track-fields.ts';

const auditActions: Record<BulkChange['action'], string> = {
  publish: 'track.published',
  unpublish: 'track.unpublished',
  schedule: 'track.scheduled',
  move: 'track.moved',
  delete: 'track.deleted',
  restore: 'track.restored',
  revert: 'track.reverted',
};

/** The release time of the track's own week. */
function getOwnTime(track: CatalogueRow, rhythm: ReleaseRhythm, now: number): number {
  const at = parseZoned(releaseTimeOf(track, rhythm), rhythm.timeZone) ?? 0;
  if (findReleaseProblem({ kind: 'at', at }, now))
    throw invalidField(
      'at',
      `The release time of week ${track.week} has passed. Choose one time for “${track.title}”, or publish it now.`,
    );
  return at;
}

/** The columns to change; null when the track already is as it should be. */
function decideBulk(
  change: BulkChange,
  track: CatalogueRow,
  { now, rhythm }: { now: number; rhythm: ReleaseRhythm },
): Partial<CatalogueRow> | null {
  const isDeleted = track.deleted_at !== null;
  if (change.action === 'revert') {
    const item = change.items.find(({ id }) => id === track.id);
    // A later edit by someone else wins.
    if (!item || isDeleted || item.version !== track.version) throw new AppError('track_changed');
    return { year: item.year, week: item.week, publish_at: item.publishAt };
  }
  if (change.action === 'restore') {
    const isTooLate = track.purged_at !== null || now - (track.deleted_at ?? 0) >= DELETED_TRACK_MS;
    if (!isDeleted || isTooLate) return null;
    return { deleted_at: null, publish_at: track.restore_publish_at, restore_publish_at: null };
  }
  if (isDeleted) return null;
  if (change.action === 'delete')
    // Without a release time no query finds it.
    return { deleted_at: now, publish_at: null, restore_publish_at: track.publish_at };
  if (change.action === 'move')
    return track.year === change.year && track.week === change.week
      ? null
      : { year: change.year, week: change.week };
  if (change.action === 'unpublish') return track.publish_at === null ? null : { publish_at: null };
  if (change.action === 'schedule')
    return { publish_at: change.at ?? getOwnTime(track, rhythm, now) };
  // A published track keeps its release time.
  return track.publish_at !== null && track.publish_at <= now ? null : { publish_at: now };
}

/** Changes all of them in one transaction, and answers what is needed to undo that. */
export async function changeMany(
  deps: Deps,
  viewer: Viewer,
  change: BulkChange,
): Promise<{ changed: string[]; undo: BulkUndo }> {
  const { database, clock, config } = deps;
  const now = clock.now();
  const { releaseDay, releaseHour } = await readSettings(database.db, now);
  const rhythm = { releaseDay, releaseHour, timeZone: config.timeZone };
  if (change.action === 'schedule' && change.at !== null) {
    const problem = findReleaseProblem({ kind: 'at', at: change.at }, now);
    if (problem) throw invalidField('at', problem);
  }
  const requested = change.action === 'revert' ? change.items.map(({ id }) => id) : change.ids;
  const ids = [...new Set(requested)];
  return database.db.transaction().execute(async (tx) => {
    const tracks = await findTracks(tx, ids);
    if (tracks.length < ids.length) throw new AppError('not_found');
    const undo: BulkUndo = [];
    for (const before of tracks) {
      const columns = decideBulk(change, before, { now, rhythm });
      if (!columns) continue;
      if (columns.publish_at || columns.deleted_at) assertNotTakenDown(before);
      const track = await updateTrack(tx, before, { ...columns, updated_at: now });
      if (!track) throw new AppError('track_changed');
      await recordChange(
        tx,
        { actor: viewer, action: auditActions[change.action], now },
        before,
        track,
      );
      await propagateTrackChange(deps, tx, track);
      const { id, year, week, publish_at: publishAt } = before;
      undo.push({ id, version: track.version, year, week, publishAt });
    }
    return { changed: undo.map(({ id }) => id), undo };
  });
}
