import { hasFullAccess } from '#contract/rules/access.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import { enforceRateLimits } from '../../http/route/rate-limit.ts';
import { recordStart } from '../progress/service.ts';
import { recordTrack } from '../scrobbling/service.ts';
import { recordHeartbeat, startPlay, startsByUser, toUserKey } from '../plays/service.ts';
import { reportStream } from '../streams/service.ts';
import { getItem } from './browsing.ts';
import type { CallContext, Calls } from './call.ts';
import { SubsonicError } from './errors.ts';
import { isPossibleId } from './params.ts';
import { findLength, type TrackItem } from './track-items.ts';
import {
  deleteAppPlay,
  deleteOldAppPlays,
  findAppPlay,
  insertAppPlay,
  updateAppPlay,
} from './queries.ts';

/** A track loaded longer ago belongs to an earlier listen. */
const OCCASION_MS = 12 * HOUR;
const MAX_SUBMITTED = 50;
const MAX_POSITION = 86_400_000;

const toApp = ({ viewer }: CallContext, { track }: TrackItem) => ({
  appPasswordId: viewer.appPasswordId,
  trackId: track.id,
});

/**
 * Notes when an app began to load a track. That counts nothing, but when the app later says that the
 * user has heard it, we know how long that can have been.
 */
export async function recordLoading({ deps, viewer }: CallContext, trackId: string) {
  const { db } = deps.database;
  const now = deps.clock.now();
  const { appPasswordId } = viewer;
  const known = await findAppPlay(db, { appPasswordId, trackId });
  if (known && known.loaded_at > now - OCCASION_MS) return known;
  await deleteOldAppPlays(db, appPasswordId, now - OCCASION_MS);
  const nothing = { playing_since: null, play_id: null, listened_ms: 0, position_ms: null };
  const row = { app_password_id: appPasswordId, track_id: trackId, loaded_at: now, ...nothing };
  await insertAppPlay(db, row);
  return row;
}

/** An app says that it plays a track now. It may say so again while it does. */
async function startPlaying(context: CallContext, item: TrackItem): Promise<string> {
  const { deps, viewer } = context;
  const { db } = deps.database;
  const app = toApp(context, item);
  const known = await recordLoading(context, app.trackId);
  if (known.play_id) return known.play_id;
  const listenerKey = toUserKey(viewer.user.id);
  const play = { trackId: app.trackId, listenerKey, isFromApp: true };
  const { playId } = await startPlay(deps, viewer, play);
  await updateAppPlay(db, app, { playing_since: deps.clock.now(), play_id: playId });
  return playId;
}

/** Heard before the app loaded it this time. The clock of the device may differ from ours. */
const isEarlier = (heardAt: number | null, loadedAt: number, now: number): boolean =>
  heardAt !== null && (heardAt < loadedAt - HOUR || heardAt < now - OCCASION_MS);

type Heard = { playId: string; ms: number; positionMs: number | null };

const recordHeard = (
  { deps, viewer, request }: CallContext,
  { playId, ms, positionMs }: Heard,
): Promise<void> =>
  recordHeartbeat(deps, viewer, {
    playId,
    listenerKeys: [toUserKey(viewer.user.id)],
    secondsListened: ms / 1000,
    position: positionMs === null ? null : positionMs / 1000,
    address: request.ip,
  });

/** As one listen: such an app doesn't say which chapters were heard. Previews never count. */
async function addToDiary(
  tx: Db,
  { deps, viewer }: CallContext,
  heard: { trackId: string; heardMs: number; listenedAt: number },
) {
  if (viewer.user.is_scrobbling && hasFullAccess(viewer.user, deps.clock.now()))
    await recordTrack(tx, deps, { userId: viewer.user.id, ...heard });
}

/**
 * What the server didn't see: the mix was in the app's own memory. It counts nothing, because the app
 * could claim anything, but the user's history and diary have it at its time.
 */
async function recordUnseenListen(context: CallContext, item: TrackItem, heardAt: number | null) {
  const { deps, viewer } = context;
  const trackId = item.track.id;
  await deps.database.db.transaction().execute(async (tx) => {
    const at = heardAt ?? deps.clock.now();
    await recordStart(tx, { userId: viewer.user.id, trackId }, at);
    // Without a time, an app that sends it again would be another listen.
    if (heardAt !== null)
      await addToDiary(tx, context, { trackId, heardMs: findLength(item) * 1000, listenedAt: at });
  });
}

/**
 * An app says that the user has heard a track. It doesn't say how much, and can say anything: we count
 * what it reported, or else the time since it began to load or play the track, at most the length of
 * the file, and nothing without that. So it reaches the 15 seconds of a counted play as slowly as the
 * site's own player.
 */
async function submitPlay(context: CallContext, item: TrackItem, heardAt: number | null) {
  const { deps, viewer } = context;
  const { db } = deps.database;
  const app = toApp(context, item);
  const known = await findAppPlay(db, app);
  const now = deps.clock.now();
  if (!known || isEarlier(heardAt, known.loaded_at, now))
    return recordUnseenListen(context, item, heardAt);
  const startedAt = known.loaded_at;
  const hasReported = known.position_ms !== null;
  const ms = hasReported ? known.listened_ms : Math.min(now - startedAt, findLength(item) * 1000);
  // It may have been heard long ago, so this device isn't listening now.
  const { sessionHash: _device, ...listener } = viewer;
  const listenerKey = toUserKey(viewer.user.id);
  const play = { trackId: app.trackId, listenerKey, startedAt, isFromApp: true };
  const playId = known.play_id ?? (await startPlay(deps, listener, play)).playId;
  await recordHeard(context, { playId, ms, positionMs: null });
  await deleteAppPlay(db, app);
  // What an app reported is in the diary already, chapter by chapter.
  if (hasReported) return;
  const heard = { trackId: app.trackId, heardMs: ms, listenedAt: known.playing_since ?? startedAt };
  await db.transaction().execute((tx) => addToDiary(tx, context, heard));
}

async function limitStarts({ deps, viewer }: CallContext): Promise<void> {
  const use = { rule: startsByUser, subject: viewer.user.id };
  await enforceRateLimits(deps.database.db, [use], deps.clock.now());
}

type Submission = { id: string; heardAt: number | null };

/** Each id with its time, if the app says one that can be: clocks of devices are often wrong. */
function readSubmissions({ deps, viewer, params }: CallContext): Submission[] {
  const times = params.all('time');
  const submissions = params.all('id').map((id, index) => {
    const text = times[index] ?? '';
    if (!/^\d*$/.test(text))
      throw new SubsonicError(10, 'The parameter time must be a number of milliseconds.');
    const time = Number(text);
    const heardAt = time > viewer.user.created_at ? Math.min(time, deps.clock.now()) : null;
    return { id, heardAt };
  });
  const known = new Map(submissions.map((each) => [`${each.heardAt} ${each.id}`, each]));
  return [...known.values()].filter(({ id }) => isPossibleId(id));
}

async function scrobble(context: CallContext) {
  const { deps, viewer, params } = context;
  const submissions = readSubmissions(context);
  if (submissions.length === 0)
    throw new SubsonicError(10, 'The required parameter id is missing.');
  if (submissions.length > MAX_SUBMITTED)
    throw new SubsonicError(10, `Send at most ${MAX_SUBMITTED} mixes at once.`);
  const items = await Promise.all(submissions.map(({ id }) => getItem(context, id)));
  const isSubmission = params.flag('submission') ?? true;
  for (const [index, item] of items.entries()) {
    await limitStarts(context);
    if (isSubmission) await submitPlay(context, item, submissions[index]?.heardAt ?? null);
    else {
      await startPlaying(context, item);
      await reportStream(deps, viewer.sessionHash);
    }
  }
  return {};
}

/**
 * An app that reports where it is: what it adds is the time since its last report in which it said it
 * was playing, and no more than the position moved. A preview begins in the middle of the track.
 */
async function reportPlayback(context: CallContext) {
  const { deps, viewer, params } = context;
  const { db } = deps.database;
  const item = await getItem(context, params.id('mediaId'));
  params.get('positionMs');
  const positionMs = params.number('positionMs', { otherwise: 0, max: MAX_POSITION });
  const state = params.get('state');
  if (!['starting', 'playing', 'paused', 'stopped'].includes(state))
    throw new SubsonicError(10, 'The parameter state isn’t known.');
  const isPlaying = state === 'starting' || state === 'playing';
  const app = toApp(context, item);
  const now = deps.clock.now();
  await limitStarts(context);
  const known = await recordLoading(context, app.trackId);
  const playing_since = isPlaying ? now : null;
  if (params.flag('ignoreScrobble')) {
    await updateAppPlay(db, app, { playing_since });
    return {};
  }
  const playId = known.play_id ?? (isPlaying ? await startPlaying(context, item) : null);
  if (playId === null) return {};
  const moved = positionMs - (known.position_ms ?? positionMs);
  const added = Math.max(0, Math.min(now - (known.playing_since ?? now), moved));
  const ms = known.listened_ms + added;
  await updateAppPlay(db, app, { playing_since, listened_ms: ms, position_ms: positionMs });
  const { access, previewStart } = item.track;
  const startMs = access === 'full' ? 0 : previewStart * 1000;
  await recordHeard(context, { playId, ms, positionMs: startMs + positionMs });
  if (isPlaying) await reportStream(deps, viewer.sessionHash);
  return {};
}

export const scrobbleCalls: Calls = { scrobble, reportPlayback };
