import { dayOf } from '#contract/rules/days.ts';
import { believedHeardMs, COUNTED_AFTER_MS, limitPosition } from '#contract/rules/plays.ts';
import { hearsEverything } from '#contract/rules/release.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { newId } from '../../ids.ts';
import { noteCountedPlay } from '../achievements/service.ts';
import { noteStart, recordListening } from '../listening/service.ts';
import { countPlay } from '../rollups/service.ts';
import { requireTrack } from '../tracks/service.ts';
import { addToRollups, claimCount, findPlayForUpdate, insertPlay, updatePlay } from './queries.ts';

export { exportPlays } from './queries.ts';
export { forgetListener, forgetPlays } from './forget-listener.ts';

export async function startPlay(
  deps: Deps,
  viewer: Viewer | null,
  input: { trackId: string; listener: string },
): Promise<{ playId: string }> {
  const track = await requireTrack(deps, viewer, input.trackId);
  const now = deps.clock.now();
  const id = newId(now);
  await deps.database.db.transaction().execute(async (tx) => {
    await insertPlay(tx, {
      id,
      track_id: track.id,
      user_id: viewer?.user.id ?? null,
      listener: input.listener,
      is_subscriber: hearsEverything(viewer?.user ?? null, now) ? 1 : 0,
      started_at: now,
      heard_at: now,
      heard_ms: 0,
      position_ms: 0,
      is_counted: 0,
      counted_at: null,
    });
    if (viewer) await noteStart(tx, { userId: viewer.user.id, trackId: track.id }, now);
  });
  return { playId: id };
}

type Heartbeat = {
  playId: string;
  /** Whom the request can speak for. */
  listeners: readonly string[];
  secondsHeard: number;
  position: number;
};

/** Records how much was heard and, once it is enough, counts the play: all or nothing. */
export async function recordHeartbeat(
  { database, clock, config }: Deps,
  viewer: Viewer | null,
  { playId, listeners, secondsHeard, position }: Heartbeat,
): Promise<void> {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const play = await findPlayForUpdate(tx, playId, database.dialect);
    // Somebody else's play does not exist as far as the caller can tell.
    if (!play || !listeners.includes(play.listener)) throw new AppError('not_found');
    const claimedMs = Math.round(secondsHeard * 1000);
    const heardMs = believedHeardMs(claimedMs, play.heard_ms, now - play.started_at);
    // A heartbeat that a later one has overtaken says where the listener was, not where they are.
    const isOvertaken = claimedMs < play.heard_ms;
    const positionMs = isOvertaken ? null : limitPosition(position * 1000, play.duration_ms);
    const isDue = !play.is_counted && heardMs >= COUNTED_AFTER_MS && !viewer?.user.is_admin;
    const { track_id: trackId, listener } = play;
    const counts = isDue && (await claimCount(tx, { listener, trackId, now }));
    await updatePlay(tx, playId, {
      heard_at: now,
      heard_ms: heardMs,
      position_ms: positionMs ?? play.position_ms,
      is_counted: play.is_counted || counts ? 1 : 0,
      counted_at: counts ? now : play.counted_at,
    });
    if (viewer) {
      const hasFullAccess = hearsEverything(viewer.user, now);
      const durationMs = play.duration_ms;
      const isAdmin = viewer.user.is_admin === 1;
      const addedMs = heardMs - play.heard_ms;
      const { timeZone } = config;
      const heard = { addedMs, positionMs, durationMs, hasFullAccess, isAdmin, timeZone };
      await recordListening(tx, { userId: viewer.user.id, trackId, ...heard }, now);
    }
    if (counts) {
      const day = dayOf(now, config.timeZone);
      const isSubscriber = play.is_subscriber === 1;
      await addToRollups(tx, { day, trackId, listener, isSubscriber });
      const { timeZone } = config;
      await countPlay(tx, { at: now, timeZone, trackId, listener, isSubscriber }, database.dialect);
      const counted = { at: now, publishedAt: play.publish_at, timeZone };
      if (viewer)
        await noteCountedPlay(tx, { userId: viewer.user.id, ...counted }, database.dialect);
    }
  });
}
