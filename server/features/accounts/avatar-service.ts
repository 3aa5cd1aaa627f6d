import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { newId } from '../../ids.ts';
import { enqueue } from '../../jobs/queue.ts';
import { convertAvatar } from './avatar-image.ts';
import { dropUnusedAvatar } from './jobs.ts';
import { findUserById, updateUser, type UserRow } from './queries.ts';
import { assertOwnId } from './service.ts';
import { HOUR } from '#contract/rules/time.ts';

/** Moves the row on and has the old file deleted, both or neither. */
async function switchAvatar(deps: Deps, id: string, key: string | null): Promise<UserRow> {
  const now = deps.clock.now();
  const user = await deps.database.db.transaction().execute(async (tx) => {
    const before = await findUserById(tx, id);
    const after = await updateUser(tx, id, { avatar_key: key }, now);
    if (!before || !after) throw new AppError('not_found');
    if (before.avatar_key) await enqueue(tx, dropUnusedAvatar, { key: before.avatar_key }, { now });
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
  const image = await convertAvatar(bytes);
  const now = deps.clock.now();
  const key = `avatars/${newId(now)}.webp`;
  // Asked for before the file exists: if we are stopped halfway, nothing is left behind.
  await enqueue(deps.database.db, dropUnusedAvatar, { key }, { now, runAt: now + HOUR });
  await deps.storage.put(key, image);
  return switchAvatar(deps, id, key);
}

export async function removeAvatar(deps: Deps, viewer: Viewer, id: string): Promise<UserRow> {
  assertOwnId(viewer, id);
  return switchAvatar(deps, id, null);
}
