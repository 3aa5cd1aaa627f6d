import { findReach, isTrackFinished } from '#contract/rules/progress.ts';
import type { ProgressTable } from '#server/db/listening-tables.ts';
import type { DemoTrack } from './catalogue/demo-catalogue.ts';
import type { DemoPlay } from './catalogue/demo-plays.ts';
import { createSiteClock } from './site-clock.ts';

/** What each listener has heard of each mix, as the heartbeats of these plays would have left it. */
export function sumProgress(
  history: readonly DemoPlay[],
  catalogue: readonly DemoTrack[],
  timeZone: string,
): ProgressTable[] {
  const durations = new Map(catalogue.map((mix) => [mix.id, Math.round(mix.duration * 1000)]));
  const readClock = createSiteClock(timeZone);
  const rows = new Map<string, ProgressTable>();
  for (const play of history.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const key = `${play.listenerId}/${play.trackId}`;
    const earlier = rows.get(key);
    const durationMs = durations.get(play.trackId) ?? 0;
    const positionMs = Math.min(Math.round(play.secondsListened * 1000), durationMs);
    const listenedMs = (earlier?.listened_ms ?? 0) + positionMs;
    const hasFullAccess = play.isSubscriber;
    const listened = { durationMs, positionMs, listenedMs, hasFullAccess };
    const isFinished = earlier?.is_finished === 1 || isTrackFinished(listened);
    const reach = hasFullAccess ? findReach(listened, isFinished) : 0;
    const listenedAt = play.startedAt + Math.round(play.secondsListened * 1000);
    const newDay = hasFullAccess ? readClock(listenedAt).day : null;
    rows.set(key, {
      user_id: play.listenerId,
      track_id: play.trackId,
      position_ms: positionMs,
      listened_ms: listenedMs,
      is_finished: isFinished ? 1 : 0,
      last_listened_at: listenedAt,
      reach: hasFullAccess ? Math.max(reach, earlier?.reach ?? 0) : (earlier?.reach ?? null),
      reach_day: earlier?.reach_day ?? newDay,
    });
  }
  return [...rows.values()];
}
