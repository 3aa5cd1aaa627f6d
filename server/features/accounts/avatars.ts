import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { newId } from '../../db/ids.ts';
import { enqueue } from '../../jobs/queue.ts';
import { drawInTurn } from '../../ports/media/drawn-pictures.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import { deleteUnusedAvatar } from './jobs.ts';
import { findUserById, updateUser, type UserRow } from './queries.ts';
import { assertOwnId } from './service.ts';

const SIDE = 512;
/** A decoded picture takes four bytes per pixel, and a small file can claim to be enormous. */
const MAX_PIXELS = 50_000_000;

const startsWith = (bytes: Buffer, text: string, offset = 0) =>
  bytes.toString('latin1', offset, offset + text.length) === text;

/** Only the formats we promise reach the decoder, whatever the content type claims. */
const isAcceptedImage = (bytes: Buffer): boolean =>
  startsWith(bytes, '\xff\xd8\xff') ||
  startsWith(bytes, '\x89PNG\r\n\x1a\n') ||
  startsWith(bytes, 'GIF87a') ||
  startsWith(bytes, 'GIF89a') ||
  (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) ||
  startsWith(bytes, 'ftypavif', 4) ||
  startsWith(bytes, 'ftypavis', 4);

/** A square WebP without metadata, rotated upright. */
async function convertAvatar(bytes: Buffer): Promise<Buffer> {
  if (!isAcceptedImage(bytes)) throw new AppError('invalid_image');
  const sharp = await loadSharp();
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .rotate()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: 82 })
      .timeout({ seconds: 10 })
      .toBuffer();
  } catch {
    throw new AppError('invalid_image');
  }
}

/** Updates the row and enqueues the deletion of the old file in one transaction. */
async function updateAvatarKey(deps: Deps, id: string, key: string | null): Promise<UserRow> {
  const now = deps.clock.now();
  const user = await deps.database.db.transaction().execute(async (tx) => {
    const before = await findUserById(tx, id);
    const after = await updateUser(tx, id, { avatar_key: key }, now);
    if (!before || !after) throw new AppError('not_found');
    if (before.avatar_key)
      await enqueue(tx, deleteUnusedAvatar, { key: before.avatar_key }, { now });
    return after;
  });
  deps.jobs.wake();
  return user;
}

export async function replaceAvatar(
  deps: Deps,
  viewer: Viewer,
  id: string,
  bytes: Buffer,
): Promise<UserRow> {
  assertOwnId(viewer, id);
  const image = await drawInTurn(() => convertAvatar(bytes), { subjects: [viewer.user.id] });
  const now = deps.clock.now();
  const key = `avatars/${newId(now)}.webp`;
  // Enqueued before the file exists, so that a crash halfway leaves nothing behind.
  await enqueue(deps.database.db, deleteUnusedAvatar, { key }, { now, runAt: now + HOUR });
  await deps.storage.put(key, image);
  return updateAvatarKey(deps, id, key);
}

export async function deleteAvatar(deps: Deps, viewer: Viewer, id: string): Promise<UserRow> {
  assertOwnId(viewer, id);
  return updateAvatarKey(deps, id, null);
}
