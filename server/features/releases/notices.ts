import { z } from 'zod';
import type { ReleaseNotice } from '#contract/clients/notifications.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { countAttemptsWithin } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { findDevice, listDevices, sendNotice } from '../notifications/service.ts';
import { findReleased, markTold, unmarkTold } from './queries.ts';
import { maySee, tellInBatches } from './recipients.ts';

/** Later it isn't news. */
const TRY_FOR_MS = 12 * HOUR;

const buildNotice = (track: TracksTable, siteName: string): ReleaseNotice => ({
  title: `Week ${track.week}: ${track.title}`.slice(0, 200),
  body: `A new mix is out on ${siteName}.`,
  path: `/track/${encodeURIComponent(track.id)}`,
  tag: `release-${track.id}`,
});

export const sendReleaseNotice = defineJob({
  name: 'push-release-notice',
  lane: 'notices',
  payload: z.object({ trackId: z.string(), deviceId: z.string() }),
  maxAttempts: countAttemptsWithin(TRY_FOR_MS),
  canDiscard: true,
  run: async (deps: Deps, { trackId, deviceId }, job) => {
    const { database, config, clock, log } = deps;
    const track = await findReleased(database.db, trackId);
    const device = await findDevice(database.db, deviceId, clock.now());
    // Someone may have unpublished the track, or logged out, since the job was enqueued.
    if (!track || !device) return;
    // Someone may have moved the release to a later time.
    if (!maySee(track, { ...device, ...(await readAccessPolicy(deps)) }, clock.now()))
      return void (await unmarkTold(database.db, trackId, deviceId));
    try {
      await sendNotice(deps, device, buildNotice(track, config.siteName), job.signal);
    } catch (error) {
      if (job.attempt < job.maxAttempts) throw error;
      log.warn({ err: error }, 'A release notice could not be sent in time.');
    }
  },
});

/** Tells every device whose user may hear the track, once. After a crash the next run continues. */
export async function announceOnDevices(deps: Deps, track: TracksTable, signal: AbortSignal) {
  const { database, clock } = deps;
  const policy = await readAccessPolicy(deps);
  await tellInBatches(
    signal,
    (page) => listDevices(database.db, page, clock.now()),
    async (devices) => {
      const now = clock.now();
      const ids = devices
        .filter((device) => maySee(track, { ...device, id: device.user_id, ...policy }, now))
        .map(({ id }) => id);
      await database.db.transaction().execute(async (tx) => {
        for (const deviceId of await markTold(tx, track.id, ids))
          await enqueue(tx, sendReleaseNotice, { trackId: track.id, deviceId }, { now });
      });
    },
  );
}
