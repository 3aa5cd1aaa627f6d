import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Download, DownloadFormat } from '#contract/downloads.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import { findAllowedFiles, type TrackSwitches } from '#contract/rules/allowed-files.ts';
import { hasFullAccess } from '#contract/rules/access.ts';
import { HOUR } from '#contract/rules/time.ts';
import { readSettings } from '../../db/settings.ts';
import { readSecret } from '../../db/secrets.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { defineRateLimit } from '../../http/route/rate-limit.ts';
import type { SendableFile } from '../../http/send/send-file.ts';
import { requestRetag } from '../ingest/service.ts';
import {
  nameDownload,
  openFileOfOwner,
  listDownloadFiles,
  listTracksById,
  getVisibleTrack,
} from '../tracks/service.ts';
import { enforceNetworkLimit } from './link-networks.ts';
import { findLinkGeneration, listDownloads, recordDownload } from './queries.ts';

export { endDownloadLinks, exportDownloads } from './queries.ts';

const SECRET = 'download-links';

/** Allows a whole year in both formats, but not a script that never stops. */
export const downloadsByUser = defineRateLimit({
  name: 'download-user',
  what: 'Downloads started by one user',
  limit: 600,
  periodMs: HOUR,
});

/** The site or the track gives nobody this file, whether or not there is one. */
const isTurnedOff = async (
  { database, clock }: Deps,
  track: TrackSwitches,
  format: DownloadFormat,
): Promise<boolean> => {
  const now = clock.now();
  return !findAllowedFiles(await readSettings(database.db, now), track, now)[format];
};

type DownloadRequest = { trackId: string; format: DownloadFormat };

/** Records the download and returns a URL that works for this user and some hours. */
export async function startDownload(
  deps: Deps,
  viewer: Viewer,
  { trackId, format }: DownloadRequest,
): Promise<{ url: string }> {
  const { database, clock } = deps;
  const now = clock.now();
  const track = await getVisibleTrack(deps, viewer, trackId);
  if (!hasFullAccess(viewer.user, now)) throw new AppError('subscribers_only');
  const files = await listDownloadFiles(deps, [trackId]);
  const file = files.find(({ name }) => name === format);
  if (!file && (await isTurnedOff(deps, track, format))) throw new AppError('files_off');
  if (!file)
    throw new AppError('not_found', {
      message: `This mix isn’t available as ${format.toUpperCase()}.`,
    });
  const secret = await readSecret(database.db, SECRET);
  const userId = viewer.user.id;
  const generation = await findLinkGeneration(database.db, userId);
  await database.db.transaction().execute(async (tx) => {
    await recordDownload(tx, { userId, trackId, format, now });
    await requestRetag(deps, tx, track, [file]);
  });
  const grant = { userId, trackId, format, generation, expiresAt: now + LINK_LIFETIME_MS };
  return { url: buildDownloadUrl(secret, grant) };
}

const buildExpiredError = () =>
  new AppError('forbidden', {
    message: 'This download link has expired. Start the download again.',
  });

/** The file of a download URL. It needs no session, but the user must still have access. */
export async function openDownload(
  deps: Deps,
  link: unknown,
  address: string,
): Promise<{ file: SendableFile; name: string; trackId: string }> {
  const { database, clock, config } = deps;
  const secret = await readSecret(database.db, SECRET);
  const grant = parseDownloadLink(secret, link, clock.now());
  if (!grant) throw buildExpiredError();
  const { trackId: id, format: rendition } = grant;
  const file = await openFileOfOwner(deps, grant.userId, { id, rendition });
  if (file.linkGeneration !== grant.generation) throw buildExpiredError();
  await enforceNetworkLimit(deps, grant, address);
  return { file, name: nameDownload(config, file, rendition), trackId: id };
}

/** A page can be shorter than its limit: it omits tracks that the user may no longer see. */
export async function getDownloads(
  deps: Deps,
  viewer: Viewer,
  page: PageQuery,
): Promise<Page<Download>> {
  const { rows, nextCursor } = await listDownloads(deps.database.db, viewer.user.id, page);
  const ids = [...new Set(rows.map((row) => row.track_id))];
  const tracks = new Map(
    (await listTracksById(deps, viewer, ids)).map((track) => [track.id, track]),
  );
  const files = await listDownloadFiles(deps, ids);
  const items = rows.flatMap((row): Download[] => {
    const track = tracks.get(row.track_id);
    const file = files.find(
      ({ track_id, name }) => track_id === row.track_id && name === row.format,
    );
    if (!track) return [];
    const { format, last_at: downloadedAt, times } = row;
    return [{ track, format, size: file?.size ?? null, downloadedAt, times }];
  });
  return { items, nextCursor };
}

/** Long enough to resume a download on a slow connection. */
export const LINK_LIFETIME_MS = 6 * HOUR;

export type DownloadGrant = {
  userId: string;
  trackId: string;
  format: DownloadFormat;
  /** The link ends when the user's generation is another: see `endDownloadLinks`. */
  generation: number;
  expiresAt: number;
};

/** The fields are bounded and contain no line breaks, so no two grants have the same text. */
function sign(secret: Buffer, grant: DownloadGrant): string {
  const { userId, trackId, format, generation, expiresAt } = grant;
  const text = ['download', userId, trackId, format, generation, expiresAt].join('\n');
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function buildDownloadUrl(secret: Buffer, grant: DownloadGrant): string {
  const { userId, trackId, format, generation, expiresAt } = grant;
  const query = new URLSearchParams({
    user: userId,
    generation: String(generation),
    expires: String(expiresAt),
    signature: sign(secret, grant),
  });
  return `/media/downloads/${encodeURIComponent(trackId)}/${format}?${query.toString()}`;
}

const Id = z.string().regex(/^[\w.-]{1,64}$/);
const Link = z.object({
  trackId: Id,
  format: DownloadFormat,
  user: Id,
  generation: z.string().regex(/^(?:0|[1-9]\d{0,8})$/),
  expires: z.string().regex(/^[1-9]\d{12}$/),
  signature: z.string().regex(/^[\w-]{43}$/),
});

/** The grant in a download URL; null if the URL is invalid or has expired. */
function parseDownloadLink(secret: Buffer, parts: unknown, now: number): DownloadGrant | null {
  const link = Link.safeParse(parts);
  if (!link.success) return null;
  const { trackId, format, user, generation, expires, signature } = link.data;
  const grant = {
    userId: user,
    trackId,
    format,
    generation: Number(generation),
    expiresAt: Number(expires),
  };
  // Compared as text, because base64 can write the same bytes in several ways.
  const isValid = timingSafeEqual(Buffer.from(sign(secret, grant)), Buffer.from(signature));
  return isValid && now < grant.expiresAt ? grant : null;
}
