import type { ServerResponse } from 'node:http';
import { MINUTE, SECOND, HOUR } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../db/connect.ts';
import { readSettings } from '../../db/settings.ts';
import { isDemoAccount } from '../../demo-accounts.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { defineRateLimit, consumeRateLimit } from '../../http/route/rate-limit.ts';
import { publishSignal, type WatchSignals } from '../live/service.ts';
import { findAppPasswordId } from './app-devices.ts';
import {
  deleteQuietStreams,
  findStream,
  listStreams,
  lockUser,
  markTold,
  saveStream,
  stopStreams,
  touchStream,
  type StreamRow,
} from './queries.ts';

export { nameAppDevice, takeAppDevice } from './app-devices.ts';

/** A stream is over when its device has neither loaded nor reported anything for this long. */
const QUIET_MS = 90 * SECOND;
/** Writing it down for every part of a track would cost more than it’s worth. */
const TOUCH_INTERVAL_MS = 30 * SECOND;
/** How long a stopped device gets no audio if its player doesn’t ask why. */
const STOPPED_MS = 2 * MINUTE;
/** What was quiet for this long says nothing about what starts now. */
const FORGOTTEN_MS = HOUR;
/** A player that was told to stop may still be loading for a moment. */
const STOPPING_MS = 15 * SECOND;
/** Loading the beginning of a track isn’t listening: players do it when the pointer is on a track. */
const BEGINNING_BYTES = 4 * 1024 * 1024;

/** For people who change devices, but not for a crowd that takes turns. */
const takeoversByUser = defineRateLimit({
  name: 'stream-takeovers',
  what: 'Devices of one user that stop others',
  limit: 30,
  periodMs: HOUR,
});

/** A logged-in device, and what the query of its request knows about its stream. */
export type Listener = { device: string; userId: string };
export type StreamTimes = Pick<StreamRow, 'seen_at' | 'stopped_at' | 'told_at'>;

/** Either way, because a clock can be put back. */
const isWithin = (at: number, now: number, ms: number): boolean => Math.abs(now - at) < ms;

/** Stopped, and its player doesn’t know yet. */
const isStopped = ({ stopped_at, told_at }: StreamTimes, now: number): boolean =>
  stopped_at !== null && told_at === null && isWithin(stopped_at, now, STOPPED_MS);

const isStopping = ({ told_at }: StreamTimes, now: number): boolean =>
  told_at !== null && isWithin(told_at, now, STOPPING_MS);

const isPlaying = (stream: StreamTimes, now: number): boolean =>
  stream.stopped_at === null && isWithin(stream.seen_at, now, QUIET_MS);

const readLimit = async (db: Db, now: number): Promise<number> =>
  (await readSettings(db, now)).streamsPerAccount;

async function buildStoppedError({ database, clock }: Deps): Promise<AppError> {
  const limit = await readLimit(database.db, clock.now());
  const devices = limit === 1 ? 'one device' : `${limit} devices`;
  return new AppError('stream_elsewhere', {
    message: `You’re listening on another device. Your account plays on ${devices} at a time, so playback stopped here. Press play to continue on this device.`,
  });
}

/**
 * The device starts to listen. If too many others of the account do so already, those that began
 * first stop; a device that only saves stops none of them, and is refused. Call it first in the
 * transaction, because it locks the user.
 */
export async function startStream(
  tx: Tx,
  deps: Deps,
  { device, userId }: Listener,
  isSave = false,
): Promise<void> {
  if (isDemoAccount(userId)) return;
  const now = deps.clock.now();
  await lockUser(tx, deps.database.dialect, userId);
  const streams = await listStreams(tx, userId);
  const own = streams.find((stream) => stream.device === device);
  if (own && isPlaying(own, now)) return;
  const others = streams.filter((stream) => stream !== own && isPlaying(stream, now));
  const excess = others.slice(0, Math.max(0, others.length - (await readLimit(tx, now)) + 1));
  if (isSave && excess.length > 0) throw await buildStoppedError(deps);
  const isAllowed =
    excess.length === 0 ||
    (await consumeRateLimit(tx, { rule: takeoversByUser, subject: userId }, now)).isAllowed;
  const stopped_at = isAllowed ? null : now;
  const row = { device, user_id: userId, started_at: now, seen_at: now };
  await deleteQuietStreams(tx, userId, now - FORGOTTEN_MS);
  await saveStream(tx, { ...row, stopped_at, told_at: null }, findAppPasswordId(device));
  if (excess.length === 0) return;
  if (isAllowed)
    await stopStreams(
      tx,
      excess.map((stream) => stream.device),
      now,
    );
  await publishSignal(tx, `user:${userId}/streams`, now);
}

type Part = {
  firstByte: number;
  /**
   * The client says that it only saves. That counts like listening, because anyone can say it; all
   * it does is to let others play.
   */
  isSave?: boolean;
};

/** Called with each part of a full track, after the access check, with what its query has read. */
export async function continueStream(
  deps: Deps,
  listener: Listener,
  stream: StreamTimes | null,
  { firstByte, isSave = false }: Part,
): Promise<void> {
  if (isDemoAccount(listener.userId)) return;
  const now = deps.clock.now();
  if (stream && isStopped(stream, now)) throw await buildStoppedError(deps);
  if (stream && isPlaying(stream, now)) {
    if (!isWithin(stream.seen_at, now, TOUCH_INTERVAL_MS))
      await touchStream(deps.database.db, listener.device, now);
    return;
  }
  const isListening = firstByte >= BEGINNING_BYTES && !(stream && isStopping(stream, now));
  if (isListening)
    await deps.database.db.transaction().execute((tx) => startStream(tx, deps, listener, isSave));
}

/**
 * For a speaker that plays in place of the listener's device: only while that device itself reports
 * that it plays. What the speaker loads doesn't count as a report.
 */
export async function requireStream(
  deps: Deps,
  { userId }: Listener,
  stream: StreamTimes | null,
): Promise<void> {
  if (isDemoAccount(userId)) return;
  const now = deps.clock.now();
  if (stream && isStopped(stream, now)) throw await buildStoppedError(deps);
  if (!stream || !isPlaying(stream, now)) throw new AppError('forbidden');
}

/**
 * Ends a response that is being sent once its stream is stopped, on whichever server that happens: a
 * long one would play to its end. What the store or nginx sends, only they could end.
 */
export function endWhenStopped(
  { database, log }: Deps,
  watchSignals: WatchSignals,
  { device, userId }: Listener,
  response: ServerResponse,
): void {
  if (isDemoAccount(userId)) return;
  const unwatch = watchSignals(`user:${userId}/streams`, () => {
    findStream(database.db, device).then(
      (stream) => stream?.stopped_at && response.destroy(),
      (error: unknown) => log.warn({ err: error }, 'Could not check whether a stream goes on.'),
    );
  });
  response.once('close', unwatch);
}

/**
 * Called with each report of listening, once it is recorded. Throws if the stream was stopped; its
 * player then knows, and may start again.
 */
export async function reportStream(deps: Deps, device: string): Promise<void> {
  const { db } = deps.database;
  const now = deps.clock.now();
  const stream = await findStream(db, device);
  if (!stream) return;
  if (isPlaying(stream, now)) {
    if (!isWithin(stream.seen_at, now, TOUCH_INTERVAL_MS)) await touchStream(db, device, now);
    return;
  }
  if (isStopped(stream, now) && (await markTold(db, device, now)))
    throw await buildStoppedError(deps);
}

/**
 * For an app that loads tracks as a whole, so that loading is listening. Throws if the device was
 * stopped some seconds ago; after that, playing continues on it.
 */
export async function continueWholeStream(deps: Deps, listener: Listener): Promise<void> {
  if (isDemoAccount(listener.userId)) return;
  const { db } = deps.database;
  const now = deps.clock.now();
  const stream = await findStream(db, listener.device);
  if (stream && isPlaying(stream, now)) {
    if (!isWithin(stream.seen_at, now, TOUCH_INTERVAL_MS))
      await touchStream(db, listener.device, now);
    return;
  }
  if (stream && (isStopped(stream, now) || isStopping(stream, now))) {
    await markTold(db, listener.device, now);
    throw await buildStoppedError(deps);
  }
  await db.transaction().execute((tx) => startStream(tx, deps, listener));
  // Too many devices may have taken turns.
  const started = await findStream(db, listener.device);
  if (started && !isPlaying(started, now)) throw await buildStoppedError(deps);
}

/** Counts the device as listening for as long as it loads a track. */
export function keepStream(
  { database, clock, log }: Deps,
  { device, userId }: Listener,
  response: ServerResponse,
) {
  if (isDemoAccount(userId)) return;
  const timer = setInterval(() => {
    touchStream(database.db, device, clock.now()).catch((error: unknown) =>
      log.warn({ err: error }, 'Could not note that a stream goes on.'),
    );
  }, TOUCH_INTERVAL_MS);
  timer.unref();
  response.once('close', () => clearInterval(timer));
}
