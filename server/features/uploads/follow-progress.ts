import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import { publishSignal } from '../live/service.ts';
import { readUploadTags } from './jobs.ts';
import { changeUpload, type UploadRow } from './queries.ts';

/** Other pages that watch need no more. */
const TELL_EVERY_MS = 2_000;

const MB = 1024 * 1024;
/** Pictures may stand before the words: what was not found at first is looked for again. */
const WORTH_READING = [64 * 1024, 4 * MB, 16 * MB];

type Progress = { id: string; received: number; isTold: boolean; hasNewTags?: boolean };

async function noteProgress(
  { database, clock, jobs }: Deps,
  { id, received, isTold, hasNewTags = false }: Progress,
) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    await changeUpload(tx, id, ['uploading'], { received, updated_at: now });
    if (isTold) await publishSignal(tx, 'admin:tracks', now);
    const uniqueKey = `tags:${id}`;
    if (hasNewTags) await enqueue(tx, readUploadTags, { uploadId: id }, { now, uniqueKey });
  });
  if (hasNewTags) jobs.wake();
}

/** How far a part is, told now and then while it arrives: on a slow line one takes a while. */
export function followProgress(
  deps: Deps,
  { id, size, tags, updated_at }: UploadRow,
  from: number,
) {
  let toldAt = updated_at;
  let telling: Promise<unknown> | null = null;
  const isDue = () => deps.clock.now() - toldAt >= TELL_EVERY_MS;
  return {
    note: (received: number) => {
      if (telling || !isDue()) return;
      toldAt = deps.clock.now();
      telling = noteProgress(deps, { id, received, isTold: true })
        .catch((error: unknown) => deps.log.warn({ err: error }, 'progress was not noted'))
        .finally(() => (telling = null));
    },
    end: async (received: number) => {
      await telling;
      const isNew = WORTH_READING.some((bytes) => from < bytes && bytes <= received);
      // When it is whole it is read anyway.
      const hasNewTags = tags === null && isNew && received < size;
      await noteProgress(deps, { id, received, isTold: isDue(), hasNewTags });
    },
  };
}
