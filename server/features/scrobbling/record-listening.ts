import { addHeardPart, listSegments, type Segment } from '#contract/clients/scrobble-rules.ts';
import type { Chapter } from '#contract/tracks.ts';
import { listArtistsOf } from '../../db/artists/track-artists.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import { requestSending, sendPlayingNow } from './jobs.ts';
import {
  findCurrentListen,
  findTracklist,
  insertScrobbles,
  listActiveServices,
  saveCurrentListen,
} from './queries.ts';

/** What a heartbeat says: `addedMs` of the track were heard, up to this position. */
type Heard = { userId: string; trackId: string; positionMs: number; addedMs: number };

const lengthOf = ({ startMs, endMs }: Segment): number => endMs - startMs;

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
  const artists = (await listArtistsOf(tx, trackId)).map(({ name }) => name);
  const segments = listSegments({
    title: track.title,
    artist: artists.join(', ') || config.siteName,
    durationMs: track.duration_ms,
    chapters: JSON.parse(track.chapters) as Chapter[],
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
    if (counted.length === 0) continue;
    await insertScrobbles(
      tx,
      counted.map(({ segment, listenedAt }) => ({
        user_id: userId,
        service,
        listened_at: listenedAt,
        track_id: trackId,
        chapter: segment.chapter,
        artist: segment.artist,
        title: segment.title,
        release: track.title,
        duration_ms: lengthOf(segment),
        queued_at: now,
      })),
    );
    await requestSending(tx, base, { now });
  }
}
