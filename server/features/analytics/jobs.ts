import type { EventOutboxTable } from '../../db/report-tables.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { dropWaiting, listWaiting, sendToService, trimWaiting } from './forward.ts';

const EVERY_MS = 15_000;
/** The service takes 2000; a smaller batch is a smaller loss of time when one event spoils it. */
const BATCH = 200;
const MOST_BATCHES = 50;
const ANSWER_MS = 10_000;

/** Halves a batch that was refused until the event that spoils it stands alone, and lets that one go. */
async function forwardBatch(
  deps: Deps,
  batch: readonly EventOutboxTable[],
  signal: AbortSignal,
): Promise<void> {
  const { database, config, log } = deps;
  if (!config.mixpanel) return;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const bodies = batch.map(({ body }) => body);
  const verdict = await sendToService(config.mixpanel, bodies, patience);
  if (verdict === 'refused' && batch.length > 1) {
    const middle = Math.ceil(batch.length / 2);
    await forwardBatch(deps, batch.slice(0, middle), signal);
    await forwardBatch(deps, batch.slice(middle), signal);
    return;
  }
  if (verdict === 'refused')
    log.warn({ eventId: batch[0]?.id }, 'The analytics service does not take this event.');
  await dropWaiting(
    database.db,
    batch.map(({ id }) => id),
  );
}

/**
 * Passes on what browsers told us. A service that is away makes the run fail: it is tried again with
 * growing pauses, and nobody who listens notices.
 */
export const forwardEvents = defineSchedule({
  name: 'forward-events',
  everyMs: EVERY_MS,
  run: async (deps: Deps, { signal }) => {
    const { database, config, clock } = deps;
    if (!config.mixpanel || config.mixpanel.isInstead) return;
    await trimWaiting(database.db, clock.now());
    for (let round = 0; round < MOST_BATCHES && !signal.aborted; round += 1) {
      const batch = await listWaiting(database.db, BATCH);
      if (batch.length > 0) await forwardBatch(deps, batch, signal);
      if (batch.length < BATCH) return;
    }
  },
});
