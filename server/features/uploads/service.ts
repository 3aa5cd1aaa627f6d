import type { CatalogueTrack } from '#contract/admin/catalogue.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import { toPublishAt, type TrackChange } from '#contract/track-fields.ts';
import type { Upload } from '#contract/admin/uploads.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { enqueue } from '../../jobs/queue.ts';
import {
  assertValidChange,
  deleteUnusedCover,
  findCatalogueTracks,
  storeCover,
  toCoverUrl,
} from '../catalogue/service.ts';
import { publishSignal } from '../live/service.ts';
import { completeUpload } from './jobs.ts';
import { mergeFields, parseDraft } from './merge-fields.ts';
import { listTrackNames, type TrackName } from '../tracks/service.ts';
import { editUpload, findUpload, listUploads, updateUpload, type UploadRow } from './queries.ts';

export { findTrackBySha256, findReceivedUpload } from './queries.ts';
export {
  assertDiskSpace,
  createUpload,
  newUploadId,
  markUploadReceived,
} from './upload-lifecycle.ts';
export { addPart } from './parts.ts';
export { uploadPath } from './upload-folder.ts';

type UploadContext = {
  names: ReadonlyMap<string, TrackName>;
  tracks: ReadonlyMap<string, CatalogueTrack>;
  config: Deps['config'];
};

const presentName = (track: TrackName | undefined) =>
  track ? { id: track.id, title: track.title, year: track.year, weekNumber: track.week } : null;

function presentUpload(row: UploadRow, { names, tracks, config }: UploadContext): Upload {
  const { release, ...fields } = mergeFields(row, config);
  return {
    id: row.id,
    fileName: row.file_name,
    size: row.size,
    received: row.received,
    state: row.state,
    failure: row.failure,
    ...fields,
    publishAt: toPublishAt(release, row.created_at),
    draft: parseDraft(row),
    coverUrl: toCoverUrl(row.cover_key),
    duplicateOf: presentName(names.get(row.duplicate_of ?? '')),
    replaces: presentName(names.get(row.replaces_id ?? '')),
    track: tracks.get(row.track_id ?? '') ?? null,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

async function present(deps: Deps, rows: readonly UploadRow[]): Promise<Upload[]> {
  const named = rows.flatMap((row) => [row.duplicate_of, row.replaces_id]);
  const [names, tracks] = await Promise.all([
    listTrackNames(
      deps.database.db,
      named.filter((id) => id !== null),
    ),
    findCatalogueTracks(
      deps,
      rows.flatMap((row) => row.track_id ?? []),
    ),
  ]);
  const context = {
    names: new Map(names.map((track) => [track.id, track])),
    tracks,
    config: deps.config,
  };
  return rows.map((row) => presentUpload(row, context));
}

export async function getUploads(deps: Deps, page: PageQuery): Promise<Page<Upload>> {
  const { rows, nextCursor } = await listUploads(deps.database.db, page);
  return { items: await present(deps, rows), nextCursor };
}

export async function getUpload(deps: Deps, id: string): Promise<Upload> {
  const row = await findUpload(deps.database.db, id);
  const [upload] = row ? await present(deps, [row]) : [];
  if (!upload) throw new AppError('not_found');
  return upload;
}

const isEnded = ({ state }: UploadRow) => state === 'finished' || state === 'refused';

async function edit(deps: Deps, before: UploadRow, change: Partial<UploadRow>) {
  const now = deps.clock.now();
  await deps.database.db.transaction().execute(async (tx) => {
    const row = await editUpload(tx, before.id, before.version, { ...change, updated_at: now });
    if (!row) {
      const current = await findUpload(tx, before.id);
      throw new AppError(current && isEnded(current) ? 'upload_over' : 'upload_changed');
    }
    if (change.cover_key && before.cover_key)
      await enqueue(tx, deleteUnusedCover, { key: before.cover_key }, { now });
    await publishSignal(tx, 'admin:tracks', now);
  });
}

async function getOpenUpload(deps: Deps, id: string): Promise<UploadRow> {
  const row = await findUpload(deps.database.db, id);
  if (!row) throw new AppError('not_found');
  if (isEnded(row)) throw new AppError('upload_over');
  return row;
}

export async function saveDraft(
  deps: Deps,
  id: string,
  { version, ...change }: TrackChange & { version: number },
): Promise<Upload> {
  const before = await getOpenUpload(deps, id);
  if (before.version !== version) throw new AppError('upload_changed');
  const draft = { ...parseDraft(before), ...change };
  const { year, week } = mergeFields(before, deps.config);
  const slot = { year: change.year ?? year, week: change.week ?? week };
  assertValidChange(change, slot, deps.clock.now());
  await edit(deps, before, { draft: JSON.stringify(draft) });
  return getUpload(deps, id);
}

export async function saveCover(deps: Deps, id: string, bytes: Buffer): Promise<Upload> {
  await getOpenUpload(deps, id);
  const cover_key = await storeCover(deps, bytes);
  // Loaded again, because encoding a picture takes a while.
  await edit(deps, await getOpenUpload(deps, id), { cover_key });
  return getUpload(deps, id);
}

/** Accepts a duplicate, or retries a failed upload. */
export async function acceptUpload(deps: Deps, id: string): Promise<Upload> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const change = { is_duplicate_wanted: 1 as const, duplicate_of: null, failure: null };
    const row = await updateUpload(tx, id, ['duplicate', 'received'], {
      ...change,
      state: 'received',
      updated_at: now,
    });
    if (!row) throw new AppError((await findUpload(tx, id)) ? 'upload_over' : 'not_found');
    await enqueue(tx, completeUpload, { uploadId: id }, { now, uniqueKey: `upload:${id}` });
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
  return getUpload(deps, id);
}
