import { findReach, isHeardThrough } from '#contract/rules/listening.ts';
import type { ListeningTable } from '#server/db/listening-tables.ts';
import type { DemoTrack } from './catalogue/demo-catalogue.ts';
import type { DemoPlay } from './catalogue/demo-plays.ts';
import { createSiteClock } from './site-clock.ts';

/** What each listener has heard of each mix, as the heartbeats of these plays would have left it. */
export function sumListening(
  history: readonly DemoPlay[],
  catalogue: readonly DemoTrack[],
  timeZone: string,
): ListeningTable[] {
  const durations = new Map(catalogue.map((mix) => [mix.id, Math.round(mix.duration * 1000)]));
  const readClock = createSiteClock(timeZone);
  const rows = new Map<string, ListeningTable>();
  for (const play of history.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const key = `${play.listenerId}/${play.trackId}`;
    const earlier = rows.get(key);
    const durationMs = durations.get(play.trackId) ?? 0;
    const positionMs = Math.min(Math.round(play.secondsHeard * 1000), durationMs);
    const heardMs = (earlier?.heard_ms ?? 0) + positionMs;
    const hasFullAccess = play.isSubscriber;
    const listened = { durationMs, positionMs, heardMs, hasFullAccess };
    const isHeard = earlier?.is_heard === 1 || isHeardThrough(listened);
    const reach = hasFullAccess ? findReach(listened, isHeard) : 0;
    const heardAt = play.startedAt + Math.round(play.secondsHeard * 1000);
    const newDay = hasFullAccess ? readClock(heardAt).day : null;
    rows.set(key, {
      user_id: play.listenerId,
      track_id: play.trackId,
      position_ms: positionMs,
      heard_ms: heardMs,
      is_heard: isHeard ? 1 : 0,
      last_heard_at: heardAt,
      reach: hasFullAccess ? Math.max(reach, earlier?.reach ?? 0) : (earlier?.reach ?? null),
      reach_day: earlier?.reach_day ?? newDay,
    });
  }
  return [...rows.values()];
}
