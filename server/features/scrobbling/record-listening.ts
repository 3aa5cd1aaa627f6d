import {
  addHeardPart,
  findNeededMs,
  listSegments,
  type Segment,
} from '#contract/clients/scrobble-rules.ts';
import { readChapters } from '../../db/read-chapters.ts';
import { listArtistsOf } from '../../db/track-artists.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import { MAX_AGE_MS, requestSending, sendPlayingNow } from './jobs.ts';
import {
  findCurrentListen,
  findTracklist,
  insertScrobbles,
  listActiveServices,
  saveCurrentListen,
  type AccountKey,
} from './queries.ts';

/** What a heartbeat says: `addedMs` of the track were heard, up to this position. */
type Heard = { userId: string; trackId: string; positionMs: number; addedMs: number };

/** What an app says: this much of the track was heard, from this time on. */
type HeardTrack = { userId: string; trackId: string; heardMs: number; listenedAt: number };

/** A listen of a chapter, or of the whole track, that the services get. */
type Listen = { segment: Segment; listenedAt: number };

const lengthOf = ({ startMs, endMs }: Segment): number => endMs - startMs;

/** Who a track is by. */
async function findCredit(tx: Db, { siteName }: Pick<Deps['config'], 'siteName'>, trackId: string) {
  const artists = (await listArtistsOf(tx, trackId)).map(({ name }) => name);
  return artists.join(', ') || siteName;
}

type Queue = AccountKey & { trackId: string; release: string };

async function queueListens(
  tx: Db,
  { trackId, release, ...account }: Queue,
  listens: readonly Listen[],
  now: number,
) {
  if (listens.length === 0) return;
  await insertScrobbles(
    tx,
    listens.map(({ segment, listenedAt }) => ({
      user_id: account.userId,
      service: account.service,
      listened_at: listenedAt,
      track_id: trackId,
      chapter: segment.chapter,
      artist: segment.artist,
      title: segment.title,
      release,
      duration_ms: lengthOf(segment),
      queued_at: now,
    })),
  );
  await requestSending(tx, account, { now });
}

/**
 * Adds what was heard to the listener's current chapter, in the transaction of the heartbeat. Call it
 * only for users with `is_scrobbling`.
 */
export async function recordListening(
  tx: Db,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { userId, trackId, positionMs, addedMs }: Heard,
): Promise<void> {
  const now = clock.now();
  const track = await findTracklist(tx, trackId);
  if (!track || addedMs <= 0) return;
  const segments = listSegments({
    title: track.title,
    artist: await findCredit(tx, config, trackId),
    durationMs: track.duration_ms,
    chapters: readChapters(track),
  });
  const before = await findCurrentListen(tx, { userId, trackId });
  const part = { fromMs: positionMs - addedMs, toMs: positionMs, now };
  const { current, started, counted } = addHeardPart(before, segments, part);
  if (current) await saveCurrentListen(tx, { userId, trackId }, current);
  if (!started && counted.length === 0) return;
  for (const service of await listActiveServices(tx, userId)) {
    const base = { userId, service };
    if (started) {
      const { artist, title, endMs } = started;
      const until = now + endMs - positionMs;
      const playing = {
        artist,
        title,
        release: track.title,
        trackId,
        durationMs: lengthOf(started),
      };
      await enqueue(tx, sendPlayingNow, { ...base, ...playing, until }, { now });
    }
    await queueListens(tx, { ...base, trackId, release: track.title }, counted, now);
  }
}

/**
 * A whole track that was heard, maybe days ago: some apps say no more than that. Call it only for users
 * with `is_scrobbling`.
 */
export async function recordTrack(
  tx: Db,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { userId, trackId, heardMs, listenedAt }: HeardTrack,
): Promise<void> {
  const now = clock.now();
  const track = await findTracklist(tx, trackId);
  if (!track || listenedAt <= now - MAX_AGE_MS) return;
  const { title, duration_ms: durationMs } = track;
  const artist = await findCredit(tx, config, trackId);
  const segments = listSegments({ title, artist, durationMs, chapters: [] });
  const listens = segments
    .filter((segment) => heardMs >= (findNeededMs(segment) ?? Infinity))
    .map((segment) => ({ segment, listenedAt }));
  for (const service of await listActiveServices(tx, userId))
    await queueListens(tx, { userId, service, trackId, release: title }, listens, now);
}
