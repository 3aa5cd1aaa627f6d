import { dayOf } from '#contract/rules/days.ts';
import { findListeningState, findReach, isTrackFinished } from '#contract/rules/progress.ts';
import type { Db } from '../../db/connect.ts';
import { publishSignal } from '../live/service.ts';
import { updateTrackReach } from '../rollups/service.ts';
import {
  addProgress,
  markFinished,
  setReach,
  type ProgressKey,
  type ProgressRow,
} from './queries.ts';

export { exportProgress, isListened, listProgress, recordStart } from './queries.ts';

type Report = ProgressKey & {
  addedMs: number;
  /** The position in the previous report. */
  earlierMs: number;
  /** Null when a later report has already set the position. */
  positionMs: number | null;
  durationMs: number;
  previewStartMs: number;
  hasFullAccess: boolean;
  /** Administrators don't count in the site's figures. */
  isStaff: boolean;
  timeZone: string;
};

/** Adds up what the user has listened to, on all their devices. Returns whether that finished the track. */
export async function recordProgress(tx: Db, report: Report, now: number): Promise<boolean> {
  const { durationMs, positionMs, hasFullAccess, isStaff, timeZone } = report;
  const row = await addProgress(tx, report, now);
  const reachedMs = positionMs ?? row.position_ms;
  const listened = {
    durationMs,
    positionMs: reachedMs,
    listenedMs: row.listened_ms,
    hasFullAccess,
  };
  const isFinished = row.is_finished === 1 || isTrackFinished(listened);
  const isNewlyFinished = !row.is_finished && isFinished;
  if (isNewlyFinished) await markFinished(tx, report);
  const stateAt = (position: number, listenedMs: number, finished: boolean) =>
    findListeningState({
      duration: durationMs / 1000,
      access: hasFullAccess ? 'full' : 'preview',
      previewStart: report.previewStartMs / 1000,
      progress: { position: position / 1000, listened: listenedMs / 1000, isFinished: finished },
    });
  const before = stateAt(report.earlierMs, row.listened_ms - report.addedMs, row.is_finished === 1);
  if (stateAt(reachedMs, row.listened_ms, isFinished) !== before)
    await publishSignal(tx, `user:${report.userId}/listening:${report.trackId}`, now);
  if (hasFullAccess && !isStaff && durationMs > 0)
    await raiseReach(tx, row, findReach(listened, isFinished), () => dayOf(now, timeZone));
  return isNewlyFinished;
}

/** Reports count how far subscribers get in each track, so only getting further changes anything. */
async function raiseReach(
  tx: Db,
  row: ProgressRow,
  reach: number,
  readDay: () => string,
): Promise<void> {
  if (row.reach !== null && row.reach >= reach) return;
  const [userId, trackId] = [row.user_id, row.track_id];
  const day = row.reach_day ?? readDay();
  await setReach(tx, { userId, trackId }, { reach, day });
  await updateTrackReach(tx, { trackId, day, from: row.reach, to: reach });
}
