import type { AdminClip } from '#contract/admin/clips.ts';
import type {
  Clip,
  ClipFile,
  ClipForm,
  ClipSizes,
  PublicClip,
  TrackClips,
} from '#contract/clips.ts';
import { CLIP_FILES } from '#contract/clips.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import { hasFullAccess, isStaff } from '#contract/rules/access.ts';
import { describeClipCost, joinSpans, listPlaying } from '#contract/rules/clips.ts';
import { hideTimesPastEnd } from '#contract/rules/tracklist.ts';
import { readChapters } from '../../db/read-chapters.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { readSettings } from '../../db/settings.ts';
import type { ClipsTable } from '../../db/types/clip-tables.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import type { SendableFile } from '../../http/send/send-file.ts';
import { hasRoomForFiles } from '../../ports/storage/disk-space.ts';
import { enqueue } from '../../jobs/queue.ts';
import { recordAction } from '../audit/service.ts';
import { getPeaks, getVisibleTrack, openCatalogue } from '../tracks/service.ts';
import { countUsed, listFree, type LimitedTrack } from './clip-limit.ts';
import { cutClip, keyOfFile, requestDeletion } from './jobs.ts';
import {
  countWaiting,
  findClip,
  findFiles,
  findPublicClip,
  insertClip,
  listCounted,
  listForAdmin,
  listLive,
  listOwnClips,
  lockTrack,
  removeAllOf,
  removeClip,
  setAudioKey,
} from './queries.ts';

export { exportClips } from './queries.ts';

/** How many may wait for their turn: some minutes of work. */
const MAX_WAITING = 40;
/** Of one mix, whoever made them. */
const MAX_CLIPS_OF_TRACK = 300;

const refuse = (message: string) => new AppError('clip_refused', { message });

const readLimit = async ({ database, clock }: Deps): Promise<number> =>
  (await readSettings(database.db, clock.now())).clipSeconds;

const NO_ROOM = 'The server’s disk has no room for more clips. Please tell the site’s operator.';
const OFF = 'Clips are turned off on this site.';

type ClippedTrack = Pick<TracksTable, 'publish_at' | 'is_subscriber_only'>;

/** Why this mix can't be clipped by this viewer; null if it can. */
function findRefusal(viewer: Viewer, track: ClippedTrack, limit: number, now: number) {
  if (limit === 0) return OFF;
  if (!hasFullAccess(viewer.user, now)) return 'Clips are part of Premium.';
  if (track.publish_at === null || track.publish_at > now)
    return 'Everyone can hear a clip, so a mix can have one once it’s out for everyone.';
  if (track.is_subscriber_only && !isStaff(viewer.user))
    return 'This mix is for subscribers only, so it has no public clips.';
  return null;
}

const present = (row: ClipsTable): Clip => ({
  id: row.id,
  start: row.start_s,
  seconds: row.seconds,
  state: row.state === 'removed' ? 'failed' : row.state,
  sizes: row.sizes === null ? null : (JSON.parse(row.sizes) as ClipSizes),
  createdAt: row.created_at,
});

export async function getTrackClips(
  deps: Deps,
  viewer: Viewer,
  trackId: string,
): Promise<TrackClips> {
  const { db } = deps.database;
  const row = await getVisibleTrack(deps, viewer, trackId);
  const [limit, filesOf, counted, own] = await Promise.all([
    readLimit(deps),
    findFiles(db, [trackId]),
    listCounted(db, [trackId]),
    listOwnClips(db, viewer.user.id, trackId),
  ]);
  const track: LimitedTrack = { ...row, ...filesOf(trackId) };
  return {
    items: own.map(present),
    nextCursor: null,
    refusal: findRefusal(viewer, row, limit, deps.clock.now()),
    limit,
    left: Math.max(0, limit - countUsed(track, counted)),
    free: joinSpans(listFree(track, counted)),
  };
}

/**
 * Checks the limit and writes the clip in one transaction that holds the row of the track, so that
 * two requests at the same time can't both take the last seconds.
 */
export async function createClip(
  deps: Deps,
  viewer: Viewer,
  trackId: string,
  { start, seconds }: ClipForm,
): Promise<Clip> {
  const { database, clock } = deps;
  const limit = await readLimit(deps);
  await getVisibleTrack(deps, viewer, trackId);
  if (!(await hasRoomForFiles(deps))) throw new AppError('disk_full', { message: NO_ROOM });
  if (limit > 0 && !hasFullAccess(viewer.user, clock.now())) throw new AppError('subscribers_only');
  return database.db.transaction().execute(async (tx) => {
    const now = clock.now();
    const row = await lockTrack(tx, database.dialect, trackId);
    const files = (await findFiles(tx, [trackId]))(trackId);
    const { audioKey } = files;
    if (!row || audioKey === undefined) throw new AppError('not_found');
    const refusal = findRefusal(viewer, row, limit, now);
    if (refusal !== null) throw refuse(refusal);
    if ((start + seconds) * 1000 > row.duration_ms)
      throw refuse('The clip would end after the mix. Start it earlier, or make it shorter.');
    const counted = await listCounted(tx, [trackId]);
    const live = await listLive(tx, trackId);
    const existing = live.find(
      (clip) =>
        clip.user_id === viewer.user.id &&
        clip.audio_key === audioKey &&
        clip.start_s === start &&
        clip.seconds === seconds,
    );
    if (existing) return present(existing);
    if (live.length >= MAX_CLIPS_OF_TRACK)
      throw refuse('This mix has as many clips as it can have. Share one of them instead.');
    const clip: ClipsTable = {
      id: newId(now),
      track_id: trackId,
      user_id: viewer.user.id,
      audio_key: audioKey,
      start_s: start,
      seconds,
      state: 'waiting',
      is_teaser: row.is_subscriber_only,
      sizes: null,
      created_at: now,
      published_at: null,
      removed_at: null,
    };
    const track = { ...row, ...files };
    const used = countUsed(track, counted);
    const after = countUsed(track, [...counted, clip]);
    if (after > used && after > limit)
      throw refuse(describeClipCost(after - used, Math.max(0, limit - used)));
    if ((await countWaiting(tx, MAX_WAITING)) >= MAX_WAITING)
      throw new AppError('rate_limited', {
        message: 'Many clips are being made right now. Try again in a few minutes.',
        headers: { 'retry-after': '120' },
      });
    await insertClip(tx, clip);
    await enqueue(tx, cutClip, { id: clip.id }, { now });
    return present(clip);
  });
}

/** Of its maker: the link ends, the seconds stay counted. */
export async function removeOwnClip(
  { database, clock }: Deps,
  viewer: Viewer,
  id: string,
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    const clip = await findClip(tx, id);
    if (!clip || clip.user_id !== viewer.user.id) throw new AppError('not_found');
    const now = clock.now();
    if (await removeClip(tx, id, now)) await requestDeletion(tx, [id], now);
  });
}

export async function removeClipAsAdmin(
  { database, clock }: Deps,
  viewer: Viewer,
  id: string,
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    const now = clock.now();
    const clip = await removeClip(tx, id, now);
    if (!clip) {
      if (await findClip(tx, id)) return;
      throw new AppError('not_found');
    }
    await requestDeletion(tx, [id], now);
    const { track_id, start_s: start, seconds } = clip;
    const subject = { kind: 'track', id: track_id } as const;
    await recordAction(
      tx,
      { actor: viewer, action: 'track.clip-removed', subject, before: { start, seconds } },
      now,
    );
  });
}

/** When the files of a deleted track go, and when other audio replaces that of the clips. */
export async function removeClipsOf(tx: Tx, trackId: string, now: number): Promise<void> {
  const ids = await removeAllOf(tx, trackId, now);
  if (ids.length > 0) await requestDeletion(tx, ids, now);
}

/** Made again from the same master, the audio has another key: its clips stay, and so does what they count. */
export async function moveClipsTo(tx: Tx, trackId: string, audioKey: string): Promise<void> {
  const { audioKey: before } = (await findFiles(tx, [trackId]))(trackId);
  if (before !== undefined) await setAudioKey(tx, trackId, before, audioKey);
}

/**
 * What clips had of the preview counts once the preview is elsewhere. In the transaction that moves
 * it: null if that gives away no more than the limit, and otherwise how many seconds.
 */
export async function findPreviewMoveCost(
  tx: Tx,
  before: TracksTable,
  after: TracksTable,
  now: number,
): Promise<{ used: number; limit: number } | null> {
  if (before.preview_start_ms === after.preview_start_ms) return null;
  const { clipSeconds: limit } = await readSettings(tx, now);
  // Nobody hears a clip now; whoever turns them on sees how much they have.
  if (limit === 0) return null;
  const counted = await listCounted(tx, [after.id]);
  const { audioKey } = (await findFiles(tx, [after.id]))(after.id);
  const [was, used] = [before, after].map((track) =>
    countUsed({ ...track, audioKey, previewFileMs: track.preview_start_ms }, counted),
  ) as [number, number];
  return used > was && used > limit ? { used, limit } : null;
}

/** It ends with the mix, and with the switch for clips; not with whoever made it. */
async function getLiveClip(deps: Deps, id: string): Promise<ClipsTable> {
  const { database, clock } = deps;
  const clip = await findPublicClip(database.db, id, clock.now());
  if (!clip || (await readLimit(deps)) === 0)
    throw new AppError('not_found', { message: 'This clip isn’t there any more.' });
  return clip;
}

const sizesOf = ({ sizes }: ClipsTable) => JSON.parse(sizes ?? '{}') as ClipSizes;

export async function openClipFile(deps: Deps, id: string, file: ClipFile): Promise<SendableFile> {
  const clip = await getLiveClip(deps, id);
  return {
    key: keyOfFile(id, file),
    size: sizesOf(clip)[file],
    mediaType: CLIP_FILES[file].type,
  };
}

/** As everyone sees it. */
export async function getPublicClip(deps: Deps, id: string): Promise<PublicClip> {
  const clip = await getLiveClip(deps, id);
  const catalogue = await openCatalogue(deps, null);
  const facts = await catalogue.find(clip.track_id, 'reserved');
  if (!facts) throw new AppError('not_found');
  const { row, artists } = facts;
  const duration = row.duration_ms / 1000;
  const chapters = hideTimesPastEnd(readChapters(row), duration);
  const [playing] = listPlaying(chapters, {
    from: clip.start_s,
    to: clip.start_s + clip.seconds,
  });
  const { peaks } = await getPeaks(deps, row.id);
  return {
    id,
    start: clip.start_s,
    seconds: clip.seconds,
    sizes: sizesOf(clip),
    chapter: playing?.chapter ?? null,
    track: {
      id: row.id,
      title: row.title,
      year: row.year,
      weekNumber: row.week,
      description: row.description,
      duration,
      coverUrl: row.cover_key ? `/media/covers/${row.cover_key.split('/').at(-1)}` : null,
      isSubscriberOnly: row.is_subscriber_only === 1,
      artists: [...artists],
    },
    peaks,
  };
}

export async function listAllClips(
  deps: Deps,
  { track, ...page }: PageQuery & { track?: string | undefined },
): Promise<Page<AdminClip> & { limit: number }> {
  const { db } = deps.database;
  const { rows, nextCursor } = await listForAdmin(db, track, page);
  // Never empty, which PostgreSQL doesn’t take.
  const ids = ['', ...new Set(rows.map((row) => row.track_id))];
  const [counted, filesOf] = await Promise.all([listCounted(db, ids), findFiles(db, ids)]);
  const usedOf = (row: (typeof rows)[number]) =>
    countUsed(
      { ...row, ...filesOf(row.track_id) },
      counted.filter(({ track_id }) => track_id === row.track_id),
    );
  const items = rows.map((row) => ({
    ...present(row),
    state: row.state,
    maker:
      row.user_id === null || row.username === null
        ? null
        : { id: row.user_id, name: row.username },
    track: {
      id: row.track_id,
      title: row.title,
      year: row.year,
      weekNumber: row.week,
      isDeleted: row.deleted_at !== null,
      used: usedOf(row),
    },
  }));
  return { items, nextCursor, limit: await readLimit(deps) };
}
