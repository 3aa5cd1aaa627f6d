import type { ServerResponse } from 'node:http';
import {
  findAllowedFiles,
  type AllowedFiles,
  type TrackSwitches,
} from '#contract/rules/allowed-files.ts';
import { findEndOf } from '#contract/rules/file-ends.ts';
import { hasFullAccess, visibleUntil } from '#contract/rules/access.ts';
import type { Config } from '../../config.ts';
import { readSettings } from '../../db/settings.ts';
import type { RenditionName } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { AppError } from '../../http/route/app-error.ts';
import { noteVerified } from '../../http/load/verified.ts';
import { toFileName } from '../../http/send/attachment.ts';
import type { CdnFile } from '../../http/send/cdn-address.ts';
import { versionOf, type SendableFile } from '../../http/send/send-file.ts';
import { hashToken } from '../../http/route/tokens.ts';
import type { WatchSignals } from '../live/service.ts';
import type { Listener, StreamTimes } from '../streams/service.ts';
import {
  findFileAndOwner,
  findFileAndViewer,
  findFileForAdmin,
  isTakenDown,
  listFilesOf,
  listFilesToKeep,
  type TrackFileRow,
} from './queries.ts';

/** Anyone may cache the preview of a public track; everything else only the viewer's browser. */
type TrackFile = SendableFile & {
  /** When the track, and with it perhaps the file, last changed. */
  modifiedAt?: number;
  cachedBy: 'anyone' | 'viewer';
  /** For a full track: the device that plays it, and its stream so far. */
  listening?: { listener: Listener; stream: StreamTimes | null };
  /** Whether a browser may save it. */
  canSave: boolean;
};

const isAllowed = (name: RenditionName, allowed: AllowedFiles): boolean =>
  name === 'mp3' || name === 'flac' ? allowed[name] : true;

/** Whether it may be saved, and when the site stops giving it; throws if the site or the track doesn't give this file to anyone. */
async function requireAllowed(
  { database, clock }: Deps,
  rendition: RenditionName,
  track: TrackSwitches,
): Promise<{ canSave: boolean; endsAt: number | null }> {
  const now = clock.now();
  const settings = readSettings(database.db, now);
  const site = settings instanceof Promise ? await settings : settings;
  const allowed = findAllowedFiles(site, track, now);
  if (!isAllowed(rendition, allowed)) throw new AppError('files_off');
  const endsAt = rendition === 'mp3' || rendition === 'flac' ? findEndOf(site)[rendition] : null;
  return { canSave: allowed.saving, endsAt };
}

/**
 * Throws when the viewer may not hear the file: everything but the preview needs full access.
 * Loading a file doesn't extend the session; the page that plays it does.
 */
export const openTrackFile = (
  deps: Deps,
  token: string | null,
  file: { id: string; rendition: RenditionName },
): Promise<TrackFile> => openFileOfSession(deps, token ? hashToken(token) : '', file);

/** The same for a session that is known by the hash of its token. */
export async function openFileOfSession(
  deps: Deps,
  tokenHash: string,
  { id, rendition }: { id: string; rendition: RenditionName },
): Promise<TrackFile> {
  const { database, clock } = deps;
  const now = clock.now();
  const policy = await readAccessPolicy(deps);
  const latest = now + policy.early_ms;
  const [row] = await findFileAndViewer(database.db, tokenHash, now, latest, id, rendition);
  if (!row) return openUnreleasedFile(deps, { tokenHash, now, id, rendition });
  const { is_admin, is_helper, paid_through } = row;
  const access =
    is_admin === null || is_helper === null
      ? null
      : { is_admin, is_helper, paid_through, ...policy };
  if ((row.publish_at ?? Infinity) > visibleUntil(access, now)) throw new AppError('not_found');
  const needsAccess = rendition !== 'preview' || row.is_subscriber_only === 1;
  if (needsAccess && !hasFullAccess(access, now))
    throw new AppError(access || row.is_subscriber_only ? 'subscribers_only' : 'unauthenticated');
  const { canSave, endsAt } = await requireAllowed(deps, rendition, row);
  const isForAll = !needsAccess && (row.publish_at ?? Infinity) <= now;
  const cachedBy = isForAll ? 'anyone' : 'viewer';
  const { key, size, media_type: mediaType, modified_at: modifiedAt } = row;
  const cdnFile = { trackId: id, rendition, durationMs: row.duration_ms };
  const file = { key, size, mediaType, modifiedAt, cachedBy, canSave, endsAt, cdnFile } as const;
  if (row.user_id !== null) noteVerified('session', tokenHash);
  if (rendition === 'preview' || row.user_id === null) return file;
  const listener = { device: tokenHash, userId: row.user_id };
  const { seen_at, stopped_at, told_at } = row;
  const stream = seen_at === null ? null : { seen_at, stopped_at, told_at };
  return { ...file, listening: { listener, stream } };
}

async function openUnreleasedFile(
  deps: Deps,
  request: { tokenHash: string; now: number; id: string; rendition: RenditionName },
): Promise<TrackFile> {
  const file = request.tokenHash ? await findFileForAdmin(deps.database.db, request) : undefined;
  if (!file) throw new AppError('not_found');
  const { canSave, endsAt } = await requireAllowed(deps, request.rendition, file);
  const { key, size, media_type: mediaType } = file;
  return { key, size, mediaType, cachedBy: 'viewer', canSave, endsAt };
}

type Named = { title: string; year: number; week: number };

export type OwnedFile = SendableFile &
  Named & {
    linkGeneration: number;
    /** When the track, and with it perhaps the file, last changed. */
    modifiedAt: number;
  };

/** For links that work without a session: checks the account and the access of their owner. */
export async function openFileOfOwner(
  deps: Deps,
  userId: string,
  { id, rendition }: { id: string; rendition: RenditionName },
): Promise<OwnedFile> {
  const { database, clock } = deps;
  const now = clock.now();
  const policy = await readAccessPolicy(deps);
  const latest = now + policy.early_ms;
  const [row] = await findFileAndOwner(database.db, userId, latest, id, rendition);
  if (!row || row.is_disabled) throw new AppError('not_found');
  const owner = { ...row, ...policy };
  if (!hasFullAccess(owner, now)) throw new AppError('subscribers_only');
  if ((row.publish_at ?? Infinity) > visibleUntil(owner, now)) throw new AppError('not_found');
  const { endsAt } = await requireAllowed(deps, rendition, row);
  const { key, size, title, year, week } = row;
  const linkGeneration = row.link_generation;
  const { media_type: mediaType, modified_at: modifiedAt } = row;
  const cdnFile = { trackId: id, rendition, durationMs: row.duration_ms };
  return { key, size, mediaType, title, year, week, linkGeneration, modifiedAt, endsAt, cdnFile };
}

/**
 * For an address that somebody with access got, and that a CDN now asks for: the file, as long as the
 * site gives it to anyone.
 */
export async function openFileForCdn(
  deps: Deps,
  { trackId, rendition, version }: CdnFile,
): Promise<SendableFile & Named> {
  const { database, clock } = deps;
  const now = clock.now();
  const { early_ms } = await readAccessPolicy(deps);
  const [row] = await findFileAndViewer(database.db, '', now, now + early_ms, trackId, rendition);
  if (!row || versionOf(row.key) !== version) throw new AppError('not_found');
  await requireAllowed(deps, rendition, row);
  const { key, size, media_type: mediaType, title, year, week } = row;
  return { key, size, mediaType, title, year, week };
}

/** The name under which a browser saves it. */
export const nameDownload = (
  { siteName }: Pick<Config, 'siteName'>,
  { title, year, week }: Named,
  rendition: RenditionName,
): string => toFileName([siteName, `Week ${week} ${year}`, title], rendition);

/** For other features: every file of these tracks. */
export const listFiles = (
  { database }: Deps,
  trackIds: readonly string[],
): Promise<TrackFileRow[]> => listFilesOf(database.db, trackIds);

/** For other features: the files of these tracks that members may download. */
export async function listDownloadFiles(
  { database: { db }, clock }: Deps,
  trackIds: readonly string[],
): Promise<TrackFileRow[]> {
  const now = clock.now();
  const site = await readSettings(db, now);
  const files = await listFilesToKeep(db, trackIds);
  return files.filter((file) => isAllowed(file.name, findAllowedFiles(site, file, now)));
}

/**
 * Ends a response with a full mix that is being sent once somebody takes the mix down, on whichever
 * server. What the store or nginx sends, only they could end.
 */
export function endWhenTakenDown(
  { database, log }: Deps,
  watchSignals: WatchSignals,
  trackId: string,
  response: ServerResponse,
): void {
  const unwatch = watchSignals(`taken-down:${trackId}`, () => {
    // It may have been put back since.
    isTakenDown(database.db, trackId).then(
      (isDown) => isDown && response.destroy(),
      (error: unknown) => log.warn({ err: error }, 'Could not check whether a mix is taken down.'),
    );
  });
  response.once('close', unwatch);
}

/** A range such as `-500` counts from the end of the file. */
export function parseFirstByte(range: string | undefined, size: number): number {
  const [, first = '', last = ''] = /^\s*bytes=(\d*)-(\d*)/.exec(range ?? '') ?? [];
  return first === '' && last !== '' ? size - Number(last) : Number(first);
}
