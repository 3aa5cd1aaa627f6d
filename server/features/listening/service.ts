import { dayOf } from '#contract/rules/days.ts';
import { findReach, isHeardThrough } from '#contract/rules/listening.ts';
import type { Db } from '../../db/connect.ts';
import { moveReach } from '../rollups/service.ts';
import { addListening, markHeard, setReach, type ListeningRow, type Place } from './queries.ts';

export { exportListening } from './queries.ts';

export { listListening, listListeningTo, noteStart } from './queries.ts';

type Heard = Place & {
  addedMs: number;
  /** Null when a later report has already said where the member is. */
  positionMs: number | null;
  durationMs: number;
  hasFullAccess: boolean;
  /** Whoever runs the site is no part of its numbers. */
  isAdmin: boolean;
  timeZone: string;
};

/** What the member has heard of the mix in all, on whatever they listen with. */
export async function recordListening(tx: Db, heard: Heard, now: number): Promise<void> {
  const { durationMs, positionMs, hasFullAccess, isAdmin, timeZone } = heard;
  const row = await addListening(tx, heard, now);
  const reachedMs = positionMs ?? row.position_ms;
  const listened = { durationMs, positionMs: reachedMs, heardMs: row.heard_ms, hasFullAccess };
  const isHeard = row.is_heard === 1 || isHeardThrough(listened);
  if (!row.is_heard && isHeard) await markHeard(tx, heard);
  if (hasFullAccess && !isAdmin && durationMs > 0)
    await goFurther(tx, row, findReach(listened, isHeard), () => dayOf(now, timeZone));
}

/** How far members come is counted for each mix: only what is further than before changes it. */
async function goFurther(
  tx: Db,
  row: ListeningRow,
  reach: number,
  readDay: () => string,
): Promise<void> {
  if (row.reach !== null && row.reach >= reach) return;
  const [userId, trackId] = [row.user_id, row.track_id];
  const day = row.reach_day ?? readDay();
  await setReach(tx, { userId, trackId }, { reach, day });
  await moveReach(tx, { trackId, day, from: row.reach, to: reach });
}
