import { findDoubt } from '#contract/rules/chart.ts';
import { dayOf } from '#contract/rules/days.ts';
import { limitListenedMs, COUNTED_AFTER_MS, limitPosition } from '#contract/rules/plays.ts';
import { hasFullAccess, isStaff } from '#contract/rules/access.ts';
import { MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { defineRateLimit } from '../../http/route/rate-limit.ts';
import { newId } from '../../db/ids.ts';
import { addCountedPlay, awardAchievements } from '../achievements/service.ts';
import { recordProgress, recordStart } from '../progress/service.ts';
import { countPlay } from '../rollups/service.ts';
import { recordListening } from '../scrobbling/service.ts';
import { startStream } from '../streams/service.ts';
import { getVisibleTrack, listTracksById } from '../tracks/service.ts';
import { toUserKey } from './listener-key.ts';
import { countListenerDay } from './listener-days.ts';
import {
  addToRollups,
  claimCount,
  findPlayForUpdate,
  insertPlay,
  markPlay,
  updatePlay,
  type PlayRow,
} from './queries.ts';

export { exportPlays } from './queries.ts';
export { anonymiseListener, anonymisePlays, toUserKey } from './listener-key.ts';

/** Enough for someone who skips through mixes on several devices, too few for a script to fill the disk. */
export const startsByUser = defineRateLimit({
  name: 'plays-user',
  what: 'Plays started by one user',
  limit: 300,
  periodMs: 10 * MINUTE,
});

export async function startPlay(
  deps: Deps,
  viewer: Viewer | null,
  input: {
    trackId: string;
    listenerKey: string;
    /** When the server saw it begin, if that was earlier. */
    startedAt?: number;
    /** A music app reports it. */
    isFromApp?: boolean;
  },
): Promise<{ playId: string }> {
  const track = await getVisibleTrack(deps, viewer, input.trackId);
  const now = deps.clock.now();
  const id = newId(now);
  const isSubscriber = hasFullAccess(viewer?.user ?? null, now);
  const source = input.isFromApp ? 'subsonic' : null;
  await deps.database.db.transaction().execute(async (tx) => {
    if (viewer?.sessionHash && isSubscriber)
      await startStream(tx, deps, {
        device: viewer.sessionHash,
        userId: viewer.user.id,
      });
    await insertPlay(tx, {
      id,
      track_id: track.id,
      user_id: viewer?.user.id ?? null,
      listener_key: input.listenerKey,
      is_subscriber: isSubscriber ? 1 : 0,
      started_at: Math.min(input.startedAt ?? now, now),
      listened_at: now,
      listened_ms: 0,
      position_ms: 0,
      is_counted: 0,
      counted_at: null,
      suspicion: null,
      source: viewer && isStaff(viewer.user) ? 'staff' : source,
    });
    if (viewer) await recordStart(tx, { userId: viewer.user.id, trackId: track.id }, now);
  });
  return { playId: id };
}

type Heartbeat = {
  playId: string;
  /** All keys that this request may report for. */
  listenerKeys: readonly string[];
  secondsListened: number;
  /** Null if the player doesn't say where it is. */
  position: number | null;
  /** The address that the request came from. */
  address: string;
};

/** Counts the listener in the chart, unless their network has used up its share for that day. */
async function countListener(
  tx: Db,
  { play, viewer, address }: { play: PlayRow; viewer: Viewer | null; address: string },
  { now, day }: { now: number; day: string },
) {
  const { id, track_id: trackId, listener_key: listenerKey } = play;
  const isSubscriber = play.is_subscriber === 1;
  const user = viewer && listenerKey === toUserKey(viewer.user.id) ? viewer.user : null;
  const member = user && {
    createdAt: user.created_at,
    isEmailVerified: user.email_verified_at !== null,
  };
  const doubt = findDoubt({ isSubscriber, member }, now);
  const listener = { day, trackId, listenerKey };
  const counted = await countListenerDay(tx, listener, { doubt, address });
  const { isNew: isNewListener, suspicion } = counted;
  if (suspicion) await markPlay(tx, id, suspicion);
  await addToRollups(tx, { day, trackId, isSubscriber, isNewListener, suspicion });
}

/** Records how much was listened to, and counts the play once that is enough. */
export async function recordHeartbeat(
  deps: Deps,
  viewer: Viewer | null,
  { playId, listenerKeys, secondsListened, position, address }: Heartbeat,
): Promise<void> {
  const { database, clock, config } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const play = await findPlayForUpdate(tx, playId, database.dialect);
    // Other people's plays look as if they didn't exist.
    if (!play || !listenerKeys.includes(play.listener_key)) throw new AppError('not_found');
    const claimedMs = Math.round(secondsListened * 1000);
    const listenedMs = limitListenedMs(claimedMs, play.listened_ms, now - play.started_at);
    // Heartbeats can arrive out of order; an old one must not move the position back.
    const isOutdated = claimedMs < play.listened_ms;
    const positionMs =
      isOutdated || position === null ? null : limitPosition(position * 1000, play.duration_ms);
    const isDue =
      !play.is_counted && listenedMs >= COUNTED_AFTER_MS && !(viewer && isStaff(viewer.user));
    const { track_id: trackId, listener_key: listenerKey } = play;
    const counts = isDue && (await claimCount(tx, { listenerKey, trackId, now }));
    await updatePlay(tx, playId, {
      listened_at: now,
      listened_ms: listenedMs,
      position_ms: positionMs ?? play.position_ms,
      is_counted: play.is_counted || counts ? 1 : 0,
      counted_at: counts ? now : play.counted_at,
    });
    let isFinished = false;
    if (viewer) {
      const durationMs = play.duration_ms;
      const addedMs = listenedMs - play.listened_ms;
      const { timeZone } = config;
      const access = {
        hasFullAccess: hasFullAccess(viewer.user, now),
        isStaff: isStaff(viewer.user),
      };
      const previewStartMs = play.preview_start_ms ?? 0;
      const earlier = { earlierMs: play.position_ms, addedMs, positionMs };
      const report = { ...earlier, durationMs, previewStartMs, ...access, timeZone };
      isFinished = await recordProgress(tx, { userId: viewer.user.id, trackId, ...report }, now);
      // Previews are nobody's listening history.
      if (viewer.user.is_scrobbling && access.hasFullAccess && positionMs !== null)
        await recordListening(tx, deps, { userId: viewer.user.id, trackId, positionMs, addedMs });
    }
    if (counts) {
      const day = dayOf(now, config.timeZone);
      const isSubscriber = play.is_subscriber === 1;
      await countListener(tx, { play, viewer, address }, { now, day });
      const { timeZone } = config;
      await countPlay(
        tx,
        { at: now, timeZone, trackId, listenerKey, isSubscriber },
        database.dialect,
      );
      const counted = { at: now, publishedAt: play.publish_at, timeZone };
      if (viewer)
        await addCountedPlay(tx, { userId: viewer.user.id, ...counted }, database.dialect);
    }
    if (viewer && (counts || isFinished)) await awardAchievements(tx, deps, viewer);
  });
}

/** Moves where the user is in a track, without any listening: a bookmark in an app. */
export async function recordPosition(
  deps: Deps,
  viewer: Viewer,
  { trackId, positionMs }: { trackId: string; positionMs: number },
): Promise<void> {
  const { database, clock, config } = deps;
  const now = clock.now();
  const [track] = await listTracksById(deps, viewer, [trackId]);
  if (!track) throw new AppError('not_found');
  const durationMs = Math.round(track.duration * 1000);
  const report = {
    userId: viewer.user.id,
    trackId,
    addedMs: 0,
    earlierMs: Math.round((track.progress?.position ?? 0) * 1000),
    positionMs: limitPosition(positionMs, durationMs),
    durationMs,
    previewStartMs: Math.round(track.previewStart * 1000),
    hasFullAccess: track.access === 'full',
    isStaff: isStaff(viewer.user),
    timeZone: config.timeZone,
  };
  await database.db.transaction().execute((tx) => recordProgress(tx, report, now));
}
