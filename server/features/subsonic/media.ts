import type { FastifyReply } from 'fastify';
import { hasFullAccess } from '#contract/rules/access.ts';
import type { RenditionName, RenditionsTable } from '../../db/types/tables.ts';
import { findExtension } from '../../http/send/attachment.ts';
import { enforceRateLimits } from '../../http/route/rate-limit.ts';
import { sendFile } from '../../http/send/send-file.ts';
import {
  downloadsByUser,
  LINK_LIFETIME_MS,
  openDownload,
  startDownload,
} from '../downloads/service.ts';
import {
  continueWholeStream,
  endWhenStopped,
  keepStream,
  takeAppDevice,
} from '../streams/service.ts';
import { endWhenTakenDown, listFiles, openFileOfOwner, openTrackFile } from '../tracks/service.ts';
import { getItem } from './browsing.ts';
import type { CallContext, FileCalls } from './call.ts';
import { getAvatar, getCoverArt } from './pictures.ts';
import { findDownloadTime } from './queries.ts';
import { recordLoading } from './scrobbling.ts';

/** The app's own copy ends with the subscription as soon as it asks again. */
const PRIVATE = { cacheControl: 'private, no-cache' };

/**
 * The file that a song announces, unless the app asks for a format that only the data saver has. A
 * limit of the bit rate alone doesn't choose it: it is no MP3, and an app that expects one may be
 * unable to play it.
 */
export function pickRendition(
  files: readonly Pick<RenditionsTable, 'name' | 'media_type'>[],
  format: string,
): RenditionName {
  const stream = files.find(({ name }) => name === 'stream');
  const saver = files.find(({ name }) => name === 'dataSaver');
  const wanted = format === 'aac' ? 'm4a' : format;
  const isIn = (file: { media_type: string } | undefined) =>
    file !== undefined &&
    (findExtension(file.media_type) === wanted || file.media_type.endsWith(`codecs=${wanted}`));
  return !isIn(stream) && isIn(saver) ? 'dataSaver' : 'stream';
}

async function sendStream(context: CallContext): Promise<FastifyReply> {
  const { deps, viewer, params, request, reply, watchSignals } = context;
  const { id } = (await getItem(context, params.id())).track;
  if (!hasFullAccess(viewer.user, deps.clock.now())) {
    const preview = await openTrackFile(deps, null, { id, rendition: 'preview' });
    if (request.method !== 'HEAD') await recordLoading(context, id);
    return sendFile(deps, request, reply, preview, PRIVATE);
  }
  const format = (params.find('format') ?? '').toLowerCase();
  const rendition = pickRendition(await listFiles(deps, [id]), format);
  const file = await openFileOfOwner(deps, viewer.user.id, { id, rendition });
  if (request.method !== 'HEAD') {
    await viewer.noteNetwork();
    const { device, release } = takeAppDevice(viewer.sessionHash, id);
    // An app that has gone meanwhile has closed it already, and nothing would release the device.
    if (reply.raw.destroyed || reply.raw.closed) release();
    else reply.raw.once('close', release);
    const listener = { device, userId: viewer.user.id };
    await continueWholeStream(deps, listener);
    endWhenStopped(deps, watchSignals, listener, reply.raw);
    endWhenTakenDown(deps, watchSignals, id, reply.raw);
    keepStream(deps, listener, reply.raw);
    await recordLoading(context, id);
  }
  // Not by the CDN: the device counts for as long as it loads from us.
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
  const { deps, viewer, params, request, reply, watchSignals } = context;
  const { id: trackId } = (await getItem(context, params.id())).track;
  endWhenTakenDown(deps, watchSignals, trackId, reply.raw);
  const hasAccess = hasFullAccess(viewer.user, deps.clock.now());
  if (hasAccess && request.method !== 'HEAD') await viewer.noteNetwork();
  if (await isResumed(context, trackId)) {
    const file = await openFileOfOwner(deps, viewer.user.id, { id: trackId, rendition: 'mp3' });
    return sendFile(deps, request, reply, file, { ...PRIVATE, isForCdn: true });
  }
  const use = { rule: downloadsByUser, subject: viewer.user.id };
  await enforceRateLimits(deps.database.db, [use], deps.clock.now());
  const { url } = await startDownload(deps, viewer, { trackId, format: 'mp3' });
  const { searchParams } = new URL(url, deps.site.origin);
  const link = { trackId, format: 'mp3', ...Object.fromEntries(searchParams) };
  const { file, name } = await openDownload(deps, link, request.ip);
  return sendFile(deps, request, reply, file, {
    ...PRIVATE,
    attachmentName: name,
    isForCdn: true,
  });
}

export const fileCalls: FileCalls = { stream: sendStream, download, getCoverArt, getAvatar };
