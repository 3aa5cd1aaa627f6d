import type { AnalyticsOutboxTable } from '../../db/types/report-tables.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { isClockSteady } from '../../jobs/wrong-clock.ts';
import { deleteQueued, listQueued, sendToMixpanel, trimQueue } from './mixpanel-queue.ts';

const EVERY_MS = 15_000;
/** Mixpanel accepts 2000, but a smaller batch costs less when one event is invalid. */
const BATCH_SIZE = 200;
const MAX_BATCHES = 50;
const TIMEOUT_MS = 10_000;

/** Splits a rejected batch in half until the invalid event is alone, then drops that one. */
async function forwardBatch(
  deps: Deps,
  batch: readonly AnalyticsOutboxTable[],
  signal: AbortSignal,
): Promise<void> {
  const { database, config, log } = deps;
  if (!config.mixpanel) return;
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const bodies = batch.map(({ body }) => body);
  const result = await sendToMixpanel(config.mixpanel, bodies, timeout);
  if (result === 'rejected' && batch.length > 1) {
    const middle = Math.ceil(batch.length / 2);
    await forwardBatch(deps, batch.slice(0, middle), signal);
    await forwardBatch(deps, batch.slice(middle), signal);
    return;
  }
  if (result === 'rejected')
    log.warn({ eventId: batch[0]?.id }, 'Mixpanel rejected this event; it was dropped.');
  await deleteQueued(
    database.db,
    batch.map(({ id }) => id),
  );
}

/** Forwards events to Mixpanel. While it is down, the run fails and is retried with growing pauses. */
export const forwardEvents = defineSchedule({
  name: 'forward-events',
  lane: 'outside',
  everyMs: EVERY_MS,
  run: async (deps: Deps, { signal }) => {
    const { database, config, clock } = deps;
    if (!config.mixpanel || config.mixpanel.isInstead) return;
    if (await isClockSteady(deps)) await trimQueue(database.db, clock.now());
    for (let round = 0; round < MAX_BATCHES && !signal.aborted; round += 1) {
      const batch = await listQueued(database.db, BATCH_SIZE);
      if (batch.length > 0) await forwardBatch(deps, batch, signal);
      if (batch.length < BATCH_SIZE) return;
    }
  },
});
