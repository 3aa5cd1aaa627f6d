import { z } from 'zod';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { countAttemptsWithin } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { findDevice, sendNotice } from '../notifications/service.ts';

/** Reaches an administrator when mail is what is broken. */
export const pushAttentionNotice = defineJob({
  name: 'push-attention-notice',
  lane: 'notices',
  payload: z.object({ deviceId: z.string(), item: z.string(), text: z.string() }),
  maxAttempts: countAttemptsWithin(6 * HOUR),
  canDiscard: true,
  run: async (deps: Deps, { deviceId, item, text }, job) => {
    const { database, config, clock, log } = deps;
    const device = await findDevice(database.db, deviceId, clock.now());
    if (device?.is_admin !== 1) return;
    const notice = {
      title: `${config.siteName} needs you now`,
      body: text.slice(0, 300),
      path: '/admin',
      tag: `attention-${item}`,
    };
    try {
      await sendNotice(deps, device, notice, job.signal);
    } catch (error) {
      if (job.attempt < job.maxAttempts) throw error;
      log.warn({ err: error }, 'A notice to an administrator could not be sent in time.');
    }
  },
});
