import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import {
  isReleaseMissed,
  type PutBackForm,
  type TakeDown,
  type TakeDownForm,
  type TakeDownOfTrack,
} from '#contract/admin/take-downs.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import type { Tx } from '../../db/connect.ts';
import type { TakeDownsTable } from '../../db/types/tables.ts';
import { newId } from '../../db/ids.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { stopReplacement } from '../ingest/service.ts';
import { publishSignal } from '../live/service.ts';
import {
  assertNotTakenDown,
  getCatalogueDetail,
  getEditableTrack,
  propagateTrackChange,
} from './catalogue-track.ts';
import { updateTrack, type CatalogueRow } from './queries.ts';
import {
  endTakeDown,
  findOpenTakeDown,
  insertTakeDown,
  listTakeDowns,
  markTakenDown,
} from './take-down-queries.ts';
import { recordChange } from './track-fields.ts';

const toRow = (trackId: string, { id, ...complaint }: Omit<TakeDown, 'by'>): TakeDownsTable => ({
  id,
  track_id: trackId,
  complainant: complaint.complainant,
  email: complaint.email,
  reference: complaint.reference,
  reason: complaint.reason,
  publish_at: complaint.publishAt,
  created_at: complaint.at,
  created_by: null,
  ended_at: complaint.end?.at ?? null,
  ended_by: null,
  end_reason: complaint.end?.reason ?? null,
  ended_as: complaint.end?.as ?? null,
});

/** For an import, in its transaction: a new track that was taken down stays so. */
export async function importTakeDowns(
  tx: Tx,
  trackId: string,
  takeDowns: readonly TakeDown[],
): Promise<void> {
  for (const each of takeDowns) await insertTakeDown(tx, toRow(trackId, each));
  const open = takeDowns.find(({ end }) => end === null);
  if (open) await markTakenDown(tx, trackId, open);
}

type Change = {
  before: CatalogueRow;
  columns: Partial<CatalogueRow>;
  action: 'track.taken-down' | 'track.put-back';
  reason: string;
};

async function changeTrack(
  deps: Deps,
  tx: Tx,
  viewer: Viewer,
  { before, columns, action, reason }: Change,
): Promise<void> {
  const now = deps.clock.now();
  const track = await updateTrack(tx, before, { ...columns, updated_at: now });
  if (!track) throw new AppError('track_changed');
  await recordChange(tx, { actor: viewer, action, now, reason }, before, track);
  await propagateTrackChange(deps, tx, track);
  await publishSignal(tx, 'everyone/mixes', now);
}

/** Without a release time nobody but staff finds it, whatever they ask. Nothing of it is deleted. */
export async function takeDown(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { complainant, reason, email, reference }: TakeDownForm,
): Promise<CatalogueDetail> {
  const { database, clock } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    await stopReplacement(tx, id, now);
    const before = await getEditableTrack(tx, id);
    assertNotTakenDown(before);
    const { publish_at } = before;
    const columns = { taken_down_at: now, publish_at: null, restore_publish_at: publish_at };
    await changeTrack(deps, tx, viewer, { before, columns, action: 'track.taken-down', reason });
    const about = { complainant, email: email || null, reference: reference || null, reason };
    const complaint = { id: newId(now), ...about, at: now, publishAt: publish_at, end: null };
    await insertTakeDown(tx, { ...toRow(id, complaint), created_by: viewer.user.id });
    await publishSignal(tx, `taken-down:${id}`, now);
  });
  return getCatalogueDetail(deps, id);
}

/** As it was, unless its release time has passed meanwhile; then somebody has to choose another one. */
export async function putBack(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { reason, as }: PutBackForm,
): Promise<CatalogueDetail> {
  const { database, clock } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const before = await getEditableTrack(tx, id);
    const open = before.taken_down_at === null ? null : await findOpenTakeDown(tx, id);
    if (!open) throw new AppError('not_taken_down');
    const returns = as === 'before' && !isReleaseMissed(open, now);
    const publish_at = returns ? before.restore_publish_at : null;
    const columns = { taken_down_at: null, publish_at, restore_publish_at: null };
    await changeTrack(deps, tx, viewer, { before, columns, action: 'track.put-back', reason });
    await endTakeDown(tx, open.id, {
      ended_at: now,
      ended_by: viewer.user.id,
      end_reason: reason,
      ended_as: as,
    });
  });
  return getCatalogueDetail(deps, id);
}

export const readTakeDowns = (
  { database }: Deps,
  { state, ...page }: PageQuery & { state?: 'open' | 'closed' | undefined },
): Promise<Page<TakeDownOfTrack>> => listTakeDowns(database.db, state, page);
