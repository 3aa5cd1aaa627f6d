import type { Download, DownloadFormat } from '#contract/downloads.ts';
import type { PageQuery } from '#contract/paging.ts';
import { hasFullAccess } from '#contract/rules/access.ts';
import { readSecret } from '../../db/secrets.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { toFileName } from '../../http/attachment.ts';
import type { Viewer } from '../../http/guards.ts';
import type { SendableFile } from '../../http/send-file.ts';
import { requestRetag } from '../ingest/service.ts';
import {
  openFileOfOwner,
  listDownloadFiles,
  listTracksById,
  getVisibleTrack,
} from '../tracks/service.ts';
import { LINK_LIFETIME_MS, parseDownloadLink, buildDownloadUrl } from './download-link.ts';
import { listDownloads, recordDownload } from './queries.ts';

export { exportDownloads } from './queries.ts';

const SECRET = 'download-links';

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
  const file = (await listDownloadFiles(deps, [trackId])).find(({ name }) => name === format);
  if (!file)
    throw new AppError('not_found', {
      message: `This mix isn’t available as ${format.toUpperCase()}.`,
    });
  const secret = await readSecret(database.db, SECRET);
  const userId = viewer.user.id;
  await database.db.transaction().execute(async (tx) => {
    await recordDownload(tx, { userId, trackId, format, now });
    await requestRetag(deps, tx, track, [file]);
  });
  return {
    url: buildDownloadUrl(secret, { userId, trackId, format, expiresAt: now + LINK_LIFETIME_MS }),
  };
}

/** The file of a download URL. It needs no session, but the user must still have access. */
export async function openDownload(
  deps: Deps,
  link: unknown,
): Promise<{ file: SendableFile; name: string }> {
  const { database, clock, config } = deps;
  const secret = await readSecret(database.db, SECRET);
  const grant = parseDownloadLink(secret, link, clock.now());
  if (!grant)
    throw new AppError('forbidden', {
      message: 'This download link has expired. Start the download again.',
    });
  const { trackId: id, format: rendition } = grant;
  const file = await openFileOfOwner(deps, grant.userId, { id, rendition });
  const week = `Week ${file.week} ${file.year}`;
  return { file, name: toFileName([config.siteName, week, file.title], rendition) };
}

/** A page can be shorter than its limit: it omits tracks that the user may no longer see. */
export async function getDownloads(
  deps: Deps,
  viewer: Viewer,
  page: PageQuery,
): Promise<{ items: Download[]; nextCursor: string | null }> {
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
