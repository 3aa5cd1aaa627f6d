import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { AppError, isDiskFull } from '../../http/app-error.ts';
import { newId } from '../../ids.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { normaliseCover } from '../../ports/media/cover.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
import { isCoverUsed } from './cover-queries.ts';
import { HOUR } from '#contract/rules/time.ts';

const NO_ROOM = 'The disk of the server is full. Make room, then choose the picture again.';

export const dropUnusedCover = defineJob({
  name: 'drop-unused-cover',
  payload: z.object({ key: z.string() }),
  run: async ({ database, storage }: Deps, { key }) => {
    if (!(await isCoverUsed(database.db, key))) await storage.delete(key);
  },
});

/** A picture of our own making under a new key. If nobody takes the key, the file goes again. */
export async function storeCover(deps: Deps, bytes: Buffer): Promise<string> {
  const cover = await normaliseCover(bytes).catch((error: unknown) => {
    throw error instanceof MediaRefused
      ? new AppError('invalid_image', { message: error.message, fields: { cover: error.message } })
      : error;
  });
  const now = deps.clock.now();
  const key = `covers/${newId(now)}.webp`;
  // Asked for before the file exists: if we are stopped halfway, nothing is left behind.
  await enqueue(deps.database.db, dropUnusedCover, { key }, { now, runAt: now + HOUR });
  await deps.storage.put(key, cover.webp).catch((error: unknown) => {
    throw isDiskFull(error) ? new AppError('disk_full', { message: NO_ROOM }) : error;
  });
  return key;
}
