import { z } from 'zod';
import { CLIP_FILES, type ClipFile } from '#contract/clips.ts';
import type { Tx } from '../../db/connect.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { countUsed } from './clip-limit.ts';
import { failClip, findClip, findFiles, listCounted, lockTrack, publishClip } from './queries.ts';

/** An id is as hard to guess as a key, and a clip is cut once: the name can be the same at each attempt. */
export const keyOfFile = (id: string, file: ClipFile): string =>
  `clips/${id}-${CLIP_FILES[file].name}`;

export const clipFiles = Object.keys(CLIP_FILES) as ClipFile[];

export const deleteClipFiles = defineJob({
  name: 'delete-clip-files',
  lane: 'files',
  payload: z.object({ ids: z.array(z.string()) }),
  run: async ({ storage }: Deps, { ids }) => {
    for (const id of ids) for (const file of clipFiles) await storage.delete(keyOfFile(id, file));
  },
});

export const requestDeletion = (tx: Tx, ids: readonly string[], now: number) =>
  enqueue(tx, deleteClipFiles, { ids: [...ids] }, { now });

/** Cuts the seconds that a member marked, and draws and encodes its videos. */
export const cutClip = defineJob({
  name: 'cut-clip',
  lane: 'clips',
  payload: z.object({ id: z.string() }),
  maxAttempts: 4,
  canDiscard: true,
  run: async (deps: Deps, { id }, job) => {
    const { database, clock } = deps;
    const clip = await findClip(database.db, id);
    if (!clip || !(await database.db.transaction().execute((tx) => canPublish(deps, tx, id))))
      return job.finish((tx) => giveUp(tx, id, clock.now()));
    const { makeClip } = await import('./make-clip.ts');
    const sizes = await makeClip(deps, clip, job);
    await job.finish(async (tx) => {
      const now = clock.now();
      if (!(await canPublish(deps, tx, id))) return giveUp(tx, id, now);
      await publishClip(tx, id, sizes, now);
    });
  },
  onDead: (tx, { id }, now) => giveUp(tx, id, now),
});

/** Perhaps after an attempt that had stored a file. */
async function giveUp(tx: Tx, id: string, now: number): Promise<void> {
  await failClip(tx, id, now);
  await requestDeletion(tx, [id], now);
}

/**
 * While a clip waits, the limit may be lowered, clips turned off, the mix taken back or its audio
 * replaced. Holds the row of the track, so that nothing of this changes before the clip is public.
 */
async function canPublish({ database, clock }: Deps, tx: Tx, id: string): Promise<boolean> {
  const now = clock.now();
  const waiting = await findClip(tx, id);
  const track = waiting && (await lockTrack(tx, database.dialect, waiting.track_id));
  // The lock may have waited for whatever ends the clip.
  const clip = await findClip(tx, id);
  if (!track || clip?.state !== 'waiting') return false;
  const { clipSeconds: limit } = await readSettings(tx, now);
  const files = (await findFiles(tx, [track.id]))(track.id);
  const isOut = track.publish_at !== null && track.publish_at <= now;
  const isForEveryone = track.is_subscriber_only === 0 || clip.is_teaser === 1;
  if (limit === 0 || !isOut || !isForEveryone || files.audioKey !== clip.audio_key) return false;
  const limited = { ...track, ...files };
  const published = await listCounted(tx, [track.id], { withWaiting: false });
  const used = countUsed(limited, published);
  const after = countUsed(limited, [...published, clip]);
  return after === used || after <= limit;
}
