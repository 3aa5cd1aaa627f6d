import type { Deps } from '../../deps.ts';
import { publishSignal } from '../live/service.ts';
import { updateTrack } from './queries.ts';

/** A page that watches needs whole steps, not every frame. */
const WRITE_INTERVAL_MS = 1_000;

/** Adds up the shares of the stages and writes the percentage now and then. */
export function createProgressWriter({ database, clock, log }: Deps, trackId: string) {
  let before = 0;
  let share = 0;
  let written = -1;
  let writtenAt = 0;

  const writePercent = (progress: number) =>
    database.db.transaction().execute(async (tx) => {
      await updateTrack(tx, trackId, { progress });
      await publishSignal(tx, 'admin:tracks', clock.now());
    });

  async function write(done: number) {
    const percent = Math.min(100, Math.floor((before + share * done) * 100));
    const now = clock.now();
    if (percent <= written || now - writtenAt < WRITE_INTERVAL_MS) return;
    written = percent;
    writtenAt = now;
    await writePercent(percent);
  }

  return {
    /** The next stage makes up this much of the whole. */
    begin(nextShare: number): (done: number) => void {
      before += share;
      share = nextShare;
      return (done) =>
        void write(done).catch((error: unknown) =>
          log.warn({ err: error, trackId }, 'The progress of an ingest was not written.'),
        );
    },
  };
}
