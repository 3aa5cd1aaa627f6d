import { isHeardThrough } from '#contract/rules/listening.ts';
import type { Db } from '../../db/connect.ts';
import { addListening, markHeard, type Place } from './queries.ts';

export { exportListening } from './export.ts';

export { listListening, listListeningTo, noteStart } from './queries.ts';

type Heard = Place & {
  addedMs: number;
  /** Null when a later report has already said where the member is. */
  positionMs: number | null;
  durationMs: number;
  hasFullAccess: boolean;
};

/** What the member has heard of the mix in all, on whatever they listen with. */
export async function recordListening(tx: Db, heard: Heard, now: number): Promise<void> {
  const { durationMs, positionMs, hasFullAccess } = heard;
  const row = await addListening(tx, heard, now);
  const reachedMs = positionMs ?? row.position_ms;
  const listened = { durationMs, positionMs: reachedMs, heardMs: row.heard_ms, hasFullAccess };
  if (!row.is_heard && isHeardThrough(listened)) await markHeard(tx, heard);
}
