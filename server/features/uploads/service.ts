import type { TrackChange } from '#contract/track-fields.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Upload } from '#contract/uploads.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { enqueue } from '../../jobs/queue.ts';
import {
  assertValidChange,
  deleteUnusedCover,
  findCatalogueTracks,
  storeCover,
} from '../catalogue/service.ts';
import { publishSignal } from '../live/service.ts';
import { mergeFields, readDraft } from './merge-fields.ts';
import { completeUpload } from './jobs.ts';
import { presentUpload } from './present-upload.ts';
import {
  changeUpload,
  editUpload,
  findUpload,
  listNames,
  listUploads,
  type UploadRow,
} from './queries.ts';

export { findTwin, findWaiting } from './queries.ts';
export { assertRoom, beginUpload, newUploadId, receiveUpload } from './receive.ts';
export { uploadPath } from './upload-folder.ts';

async function present(deps: Deps, rows: readonly UploadRow[]): Promise<Upload[]> {
  const named = rows.flatMap((row) => [row.duplicate_of, row.replaces_id]);
  const [names, tracks] = await Promise.all([
    listNames(
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
    timeZone: deps.config.timeZone,
  };
  return rows.map((row) => presentUpload(row, context));
}

export async function readUploads(
  deps: Deps,
  page: PageQuery,
): Promise<{ items: Upload[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await listUploads(deps.database.db, page);
  return { items: await present(deps, rows), nextCursor };
}

export async function readUpload(deps: Deps, id: string): Promise<Upload> {
  const row = await findUpload(deps.database.db, id);
  const [upload] = row ? await present(deps, [row]) : [];
  if (!upload) throw new AppError('not_found');
  return upload;
}

const isOver = ({ state }: UploadRow) => state === 'finished' || state === 'refused';

async function edit(deps: Deps, before: UploadRow, change: Partial<UploadRow>) {
  const now = deps.clock.now();
  await deps.database.db.transaction().execute(async (tx) => {
    const row = await editUpload(tx, before.id, before.version, { ...change, updated_at: now });
    if (!row) {
      const current = await findUpload(tx, before.id);
      throw new AppError(current && isOver(current) ? 'upload_over' : 'upload_changed');
    }
    if (change.cover_key && before.cover_key)
      await enqueue(tx, deleteUnusedCover, { key: before.cover_key }, { now });
    await publishSignal(tx, 'admin:tracks', now);
  });
}

async function requireOpen(deps: Deps, id: string): Promise<UploadRow> {
  const row = await findUpload(deps.database.db, id);
  if (!row) throw new AppError('not_found');
  if (isOver(row)) throw new AppError('upload_over');
  return row;
}

export async function saveDraft(
  deps: Deps,
  id: string,
  { version, ...change }: TrackChange & { version: number },
): Promise<Upload> {
  const before = await requireOpen(deps, id);
  if (before.version !== version) throw new AppError('upload_changed');
  const draft = { ...readDraft(before), ...change };
  const { year, week } = mergeFields(before, deps.config.timeZone);
  const slot = { year: change.year ?? year, week: change.week ?? week };
  assertValidChange(change, slot, deps.clock.now());
  await edit(deps, before, { draft: JSON.stringify(draft) });
  return readUpload(deps, id);
}

export async function saveCover(deps: Deps, id: string, bytes: Buffer): Promise<Upload> {
  await requireOpen(deps, id);
  const cover_key = await storeCover(deps, bytes);
  // Read again: drawing a picture takes a while.
  await edit(deps, await requireOpen(deps, id), { cover_key });
  return readUpload(deps, id);
}

/** The administrator wants it although it is there already, or tries again what failed. */
export async function keepUpload(deps: Deps, id: string): Promise<Upload> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const change = { is_duplicate_wanted: 1 as const, duplicate_of: null, failure: null };
    const row = await changeUpload(tx, id, ['duplicate', 'received'], {
      ...change,
      state: 'received',
      updated_at: now,
    });
    if (!row) throw new AppError((await findUpload(tx, id)) ? 'upload_over' : 'not_found');
    await enqueue(tx, completeUpload, { uploadId: id }, { now, uniqueKey: `upload:${id}` });
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
  return readUpload(deps, id);
}
