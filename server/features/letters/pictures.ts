import { z } from 'zod';
import { lookImagePath, parseLookImage } from '#contract/look.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { requireSteadyClock } from '../../jobs/wrong-clock.ts';
import { addLetterPicture, deleteLetterPicture } from '../look/service.ts';
import { isPictureUsed } from './queries.ts';

/** Long enough to save a letter that somebody wrote with it. */
const KEPT_MS = 2 * DAY;

export const deleteUnusedPicture = defineJob({
  name: 'delete-letter-picture',
  lane: 'files',
  payload: z.object({ name: z.string() }),
  run: async (deps: Deps, { name }) => {
    await requireSteadyClock(deps);
    if (!(await isPictureUsed(deps.database.db, name))) await deleteLetterPicture(deps, name);
  },
});

/** A file never changes under its name; one that is in no letter after two days is deleted. */
export const planDeletion = (tx: Tx | Deps['database']['db'], name: string, now: number) =>
  enqueue(tx, deleteUnusedPicture, { name }, { now, runAt: now + KEPT_MS });

/** Its preview can show it at once; only who knows its name finds it. */
export async function uploadPicture(deps: Deps, viewer: Viewer, bytes: Buffer) {
  const { clock, database } = deps;
  const picture = await addLetterPicture(deps, viewer, bytes, (name) =>
    planDeletion(database.db, name, clock.now()),
  );
  const image = parseLookImage(picture);
  return { picture, path: image ? lookImagePath(image, 'small') : '' };
}
