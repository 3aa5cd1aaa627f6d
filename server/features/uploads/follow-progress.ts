import type { Deps } from '../../deps.ts';
import { publishSignal } from '../live/service.ts';
import { changeUpload, type UploadRow } from './queries.ts';

/** Other pages that watch need no more. */
const TELL_EVERY_MS = 2_000;

type Progress = { id: string; received: number; isTold: boolean };

async function noteProgress({ database, clock }: Deps, { id, received, isTold }: Progress) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    await changeUpload(tx, id, ['uploading'], { received, updated_at: now });
    if (isTold) await publishSignal(tx, 'admin:tracks', now);
  });
}

/** How far a part is, told now and then while it arrives: on a slow line one takes a while. */
export function followProgress(deps: Deps, { id, updated_at }: UploadRow) {
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
      await noteProgress(deps, { id, received, isTold: isDue() });
    },
  };
}
