import type { Tx } from '../../db/connect.ts';
import type { Manifest } from './manifest.ts';

/**
 * After a restore an unfinished upload is whole or gone: a row whose bytes are not in the backup is
 * deleted. The files in S3 are not part of a backup, so uploads that were arriving there start again;
 * the job that completes a received one checks its bytes.
 */
export async function dropIncompleteUploads(tx: Tx, files: Manifest['files']): Promise<void> {
  const uploads = await tx
    .selectFrom('uploads')
    .select(['id', 'state', 'received', 'container'])
    .where('state', 'in', ['uploading', 'received', 'duplicate'])
    .execute();
  for (const { id, state, received, container } of uploads) {
    const parts = await tx
      .selectFrom('upload_parts')
      .select(['key', 'size'])
      .where('upload_id', '=', id)
      .execute();
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    const isWhole = files
      ? size === received && parts.every(({ key, size: bytes }) => files[key]?.size === bytes)
      : state !== 'uploading' || received === 0;
    const isMaster = files?.[`masters/${id}.${container}`]?.size === received;
    if (!isWhole && !isMaster) await tx.deleteFrom('uploads').where('id', '=', id).execute();
  }
}
