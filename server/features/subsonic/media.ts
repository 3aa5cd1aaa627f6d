import type { FastifyReply } from 'fastify';
import { hasFullAccess } from '#contract/rules/access.ts';
import type { RenditionName, RenditionsTable } from '../../db/tables.ts';
import { enforceRateLimits } from '../../http/rate-limit.ts';
import { sendFile } from '../../http/send-file.ts';
import {
  downloadsByUser,
  LINK_LIFETIME_MS,
  openDownload,
  startDownload,
} from '../downloads/service.ts';
import { continueWholeStream, endWhenStopped, keepStream } from '../streams/service.ts';
import { listFiles, openFileOfOwner, openTrackFile } from '../tracks/service.ts';
import { getItem } from './browsing.ts';
import type { CallContext, FileCalls } from './call.ts';
import { getAvatar, getCoverArt } from './pictures.ts';
import { findBitRate, findSuffix } from './track-items.ts';
import { findDownloadTime } from './queries.ts';
import { noteLoading } from './scrobbling.ts';

/** The app's own copy ends with the subscription as soon as it asks again. */
const PRIVATE = { cacheControl: 'private, no-cache' };

type Wish = { format: string; maxBitRate: number };

/** The file that suits an app best: the data saver for slow lines, and for formats that only it has. */
export function pickRendition(
  files: readonly Pick<RenditionsTable, 'name' | 'size' | 'media_type'>[],
  seconds: number,
  { format, maxBitRate }: Wish,
): RenditionName {
  const stream = files.find(({ name }) => name === 'stream');
  const saver = files.find(({ name }) => name === 'dataSaver');
  if (!stream || !saver || format === 'raw') return 'stream';
  const has = (file: { media_type: string }) =>
    findSuffix(file.media_type) === format || file.media_type.includes(format);
  if (format !== '' && has(stream)) return 'stream';
  if (format !== '' && has(saver)) return 'dataSaver';
  const bitRate = findBitRate(stream.size, seconds) ?? 0;
  return maxBitRate > 0 && bitRate > maxBitRate ? 'dataSaver' : 'stream';
}

async function sendStream(context: CallContext): Promise<FastifyReply> {
  const { deps, viewer, params, request, reply, watchSignals } = context;
  const { track } = await getItem(context, params.id());
  const { id } = track;
  if (!hasFullAccess(viewer.user, deps.clock.now())) {
    const preview = await openTrackFile(deps, null, { id, rendition: 'preview' });
    if (request.method !== 'HEAD') await noteLoading(context, id);
    return sendFile(deps, request, reply, preview, PRIVATE);
  }
  const wish = {
    format: (params.find('format') ?? '').toLowerCase(),
    maxBitRate: params.number('maxBitRate', { otherwise: 0, max: 1_000_000 }),
  };
  const files = await listFiles(deps, [id]);
  const rendition = pickRendition(files, track.duration, wish);
  const file = await openFileOfOwner(deps, viewer.user.id, { id, rendition });
  if (request.method !== 'HEAD') {
    const isDemo = viewer.user.is_demo === 1;
    const listener = { device: viewer.sessionHash, userId: viewer.user.id, isDemo };
    await continueWholeStream(deps, listener);
    endWhenStopped(deps, watchSignals, listener, reply.raw);
    keepStream(deps, listener, reply.raw);
    await noteLoading(context, id);
  }
  return sendFile(deps, request, reply, file, PRIVATE);
}

/**
 * Whether this continues a download that is listed already, for as long as a link of the site could. An
 * app that begins in the middle of a file still begins a download.
 */
async function isResumed({ deps, viewer, request }: CallContext, trackId: string) {
  if (!/^\s*bytes=0*[1-9]/.test(request.headers.range ?? '')) return false;
  const startedAt = await findDownloadTime(deps.database.db, {
    userId: viewer.user.id,
    trackId,
    format: 'mp3',
  });
  return startedAt !== undefined && deps.clock.now() < startedAt + LINK_LIFETIME_MS;
}

/** As from the site: an MP3 with tags, listed among the user's downloads. */
async function download(context: CallContext): Promise<FastifyReply> {
  const { deps, viewer, params, request, reply } = context;
  const { id: trackId } = (await getItem(context, params.id())).track;
  if (await isResumed(context, trackId)) {
    const file = await openFileOfOwner(deps, viewer.user.id, { id: trackId, rendition: 'mp3' });
    return sendFile(deps, request, reply, file, PRIVATE);
  }
  const use = { rule: downloadsByUser, subject: viewer.user.id };
  await enforceRateLimits(deps.database.db, [use], deps.clock.now());
  const { url } = await startDownload(deps, viewer, { trackId, format: 'mp3' });
  const { searchParams } = new URL(url, deps.site.origin);
  const link = { trackId, format: 'mp3', ...Object.fromEntries(searchParams) };
  const { file, name } = await openDownload(deps, link, request.ip);
  return sendFile(deps, request, reply, file, { ...PRIVATE, attachmentName: name });
}

export const fileCalls: FileCalls = { stream: sendStream, download, getCoverArt, getAvatar };
