import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Db, Tx } from '../../db/connect.ts';
import type { UploadPartsTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../db/ids.ts';
import { enqueue } from '../../jobs/queue.ts';
import { deleteFiles } from '../catalogue/service.ts';
import { sizeOfFile, uploadPath } from './upload-folder.ts';
import { findUpload, type UploadRow } from './queries.ts';

/** Parts that the row counts are missing, for instance after an older backup was restored. */
export class MissingBytes extends Error {
  override name = 'MissingBytes';
}

export const listParts = (db: Db, uploadId: string): Promise<UploadPartsTable[]> =>
  db
    .selectFrom('upload_parts')
    .selectAll()
    .where('upload_id', '=', uploadId)
    .orderBy('first_byte')
    .execute();

type NewPart = { id: string; firstByte: number; size: number; path: string };

/**
 * Moves a file on this machine into the store, as the next bytes of an upload. The row decides: of two
 * parts for the same offset, on whatever servers, one is accepted; returns false for the other.
 */
export async function addPart(
  { database, clock, storage }: Deps,
  { id, firstByte, size, path }: NewPart,
  inTransaction: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const now = clock.now();
  const key = `uploads/${id}/${firstByte}-${newId(now)}`;
  await storage.adopt(key, path);
  const isAccepted = await database.db.transaction().execute(async (tx) => {
    const accepted = await tx
      .updateTable('uploads')
      .set({ received: firstByte + size, updated_at: now })
      .where('id', '=', id)
      .where('state', '=', 'uploading')
      .where('received', '=', firstByte)
      .where('size', '>=', firstByte + size)
      .returning('id')
      .executeTakeFirst();
    if (!accepted) return false;
    const part = { upload_id: id, first_byte: firstByte, size, key };
    await tx.insertInto('upload_parts').values(part).execute();
    await inTransaction(tx);
    return true;
  });
  if (!isAccepted) await storage.delete(key);
  return isAccepted;
}

/** The files go once the transaction has committed. */
export async function deleteParts(tx: Tx, uploadId: string, now: number): Promise<void> {
  const parts = await tx
    .deleteFrom('upload_parts')
    .where('upload_id', '=', uploadId)
    .returning('key')
    .execute();
  const keys = parts.map(({ key }) => key);
  if (keys.length > 0) await enqueue(tx, deleteFiles, { keys }, { now });
}

/**
 * A whole file of this upload on this machine that the row doesn't know: of a form or an import that
 * was interrupted, or of a version that kept uploads there. It becomes the first part.
 */
export async function adoptLocalFile(deps: Deps, upload: UploadRow): Promise<UploadRow> {
  const { database, config } = deps;
  const path = uploadPath(config, upload.id);
  const size = await sizeOfFile(path);
  if (!size || size > upload.size || upload.state !== 'uploading') return upload;
  if ((await listParts(database.db, upload.id)).length > 0) return upload;
  await database.db
    .updateTable('uploads')
    .set({ received: 0 })
    .where('id', '=', upload.id)
    .where('state', '=', 'uploading')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('upload_parts').select('key').where('upload_id', '=', upload.id))),
    )
    .execute();
  await addPart(deps, { id: upload.id, firstByte: 0, size, path });
  return (await findUpload(database.db, upload.id)) ?? upload;
}

/** A path with the bytes of an upload: the file itself where it is one, or else a copy at `to`. */
export async function openParts(
  { database, storage, config }: Deps,
  upload: Pick<UploadRow, 'id' | 'size'>,
  { to, limit = upload.size, signal }: { to: string; limit?: number; signal: AbortSignal },
): Promise<string> {
  const parts = await listParts(database.db, upload.id);
  const [first] = parts;
  // Received by a version that kept uploads on one machine.
  if (!first) {
    if ((await sizeOfFile(uploadPath(config, upload.id))) !== upload.size) throw new MissingBytes();
    return uploadPath(config, upload.id);
  }
  if (parts.length === 1 && storage.localPath && (await storage.stat(first.key)))
    return storage.localPath(first.key);
  let at = 0;
  for (const part of parts) {
    if (at >= limit) break;
    const file = part.first_byte === at ? await storage.open(part.key) : null;
    if (file?.size !== part.size) {
      file?.stream.destroy();
      throw new MissingBytes(`A part of the upload ${upload.id} is missing.`);
    }
    await pipeline(file.stream, createWriteStream(to, { flags: 'a' }), { signal });
    at += part.size;
  }
  if (at < Math.min(limit, upload.size)) throw new MissingBytes();
  return to;
}
