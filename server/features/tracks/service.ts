import { z } from 'zod';
import { EARLY_ACCESS_MS, hearsEverything, visibleUntil } from '#contract/rules/release.ts';
import type { Track, TrackDetail } from '#contract/tracks.ts';
import type { FileKind } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { isAccountUsable, type Actor } from '../../http/guards.ts';
import type { SendableFile } from '../../http/send-file.ts';
import { hashToken } from '../../http/tokens.ts';
import { presentTrack, presentTrackDetail } from './present-track.ts';
import {
  findPeaks,
  findFileAndListener,
  findVisibleTrack,
  findVisibleTracks,
  listFilesOf,
  listTracks,
  type TrackFilter,
  type TrackRow,
  type Visibility,
} from './queries.ts';

const DEFAULT_LIMIT = 20;
const Position = z.tuple([z.int(), z.int(), z.int(), z.string().max(64)]);

const visibilityFor = (actor: Actor | null, now: number): Visibility => ({
  publishedBy: visibleUntil(actor?.user ?? null, now),
  includesSubscriberOnly: hearsEverything(actor?.user ?? null, now),
});

/** A mix for subscribers says so to those who follow a link to it; a mix that is not out is not there. */
async function getVisibleTrack(
  { database, clock }: Deps,
  actor: Actor | null,
  id: string,
): Promise<TrackRow> {
  const visibility = visibilityFor(actor, clock.now());
  const track = await findVisibleTrack(
    database.db,
    { ...visibility, includesSubscriberOnly: true },
    id,
  );
  if (!track) throw new AppError('not_found');
  if (track.is_subscriber_only && !visibility.includesSubscriberOnly)
    throw new AppError('subscribers_only');
  return track;
}

type ListInput = TrackFilter & { cursor?: string | undefined; limit?: number | undefined };

export async function readTracks(
  { database, clock }: Deps,
  actor: Actor | null,
  { cursor, limit = DEFAULT_LIMIT, ...filter }: ListInput,
): Promise<{ items: Track[]; nextCursor: string | null }> {
  const now = clock.now();
  const rows = await listTracks(database.db, visibilityFor(actor, now), {
    filter,
    after: cursor ? decodeCursor(Position, cursor) : null,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const files = await listFilesOf(
    database.db,
    page.map((track) => track.id),
  );
  const isFull = hearsEverything(actor?.user ?? null, now);
  return {
    items: page.map((track) => presentTrack(track, files, isFull)),
    nextCursor: last ? encodeCursor([last.year, last.week, last.publish_at, last.id]) : null,
  };
}

/** For other features: those of the tracks that this viewer may see, in the order asked for. */
export async function readTracksById(
  { database, clock }: Deps,
  actor: Actor | null,
  ids: readonly string[],
): Promise<Track[]> {
  const now = clock.now();
  const rows = await findVisibleTracks(database.db, visibilityFor(actor, now), ids);
  const files = await listFilesOf(database.db, ids);
  const isFull = hearsEverything(actor?.user ?? null, now);
  return ids.flatMap((id) => {
    const row = rows.find((track) => track.id === id);
    return row ? [presentTrack(row, files, isFull)] : [];
  });
}

export async function readTrack(deps: Deps, actor: Actor | null, id: string): Promise<TrackDetail> {
  const track = await getVisibleTrack(deps, actor, id);
  const files = await listFilesOf(deps.database.db, [id]);
  const isFull = hearsEverything(actor?.user ?? null, deps.clock.now());
  return presentTrackDetail(track, files, isFull);
}

export async function readPeaks(
  deps: Deps,
  actor: Actor | null,
  id: string,
): Promise<{ peaks: number[] }> {
  await getVisibleTrack(deps, actor, id);
  const peaks = await findPeaks(deps.database.db, id);
  return { peaks: peaks.map((peak) => Math.round((peak / 255) * 1000) / 1000) };
}

/**
 * The file of a track, for those who may have it: anything but the preview needs full access.
 * Asking for a file keeps no session alive; the page that plays it does.
 */
export async function openTrackFile(
  { database, clock, config }: Deps,
  token: string | null,
  { id, kind }: { id: string; kind: FileKind },
): Promise<SendableFile> {
  const now = clock.now();
  const tokenHash = token ? hashToken(token) : '';
  const latest = now + EARLY_ACCESS_MS;
  const [row] = await findFileAndListener(database.db, tokenHash, now, latest, id, kind);
  if (!row) throw new AppError('not_found');
  const { is_admin, is_demo, paid_through } = row;
  const isSignedIn = is_admin !== null && is_demo !== null && isAccountUsable(config, { is_demo });
  const listener = isSignedIn ? { is_admin, paid_through } : null;
  if ((row.publish_at ?? Infinity) > visibleUntil(listener, now)) throw new AppError('not_found');
  const needsAccess = kind !== 'preview' || row.is_subscriber_only === 1;
  if (needsAccess && !hearsEverything(listener, now))
    throw new AppError(
      isSignedIn || row.is_subscriber_only ? 'subscribers_only' : 'unauthenticated',
    );
  return { key: row.key, size: row.size, mediaType: row.media_type };
}

/** For other features: the track as this viewer may see it, or a refusal. */
export const requireTrack = getVisibleTrack;
