import { z } from 'zod';
import { DAY } from '#contract/rules/time.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/connect.ts';
import { countAttemptsWithin } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { SandboxWork } from '../../ports/payments/sandbox/store.ts';
import { createSandbox, type Sandbox } from '../../ports/payments/sandbox/sandbox.ts';

/** What the sandbox's pages and jobs need. */
type SandboxDeps = {
  config: Pick<Config, 'payments' | 'timeZone'>;
  database: Pick<Database, 'db' | 'dialect'>;
  clock: { now: () => number };
  site: { origin: string };
};

/** The provider behind `deps.payments`, with its inside: all its state is in the tables. */
export const openSandbox = (
  { config, database, clock, site }: SandboxDeps,
  work: SandboxWork,
): Sandbox => {
  const monthMs = config.payments.provider === 'sandbox' ? config.payments.monthMs : null;
  return createSandbox({ database, clock, site, timeZone: () => config.timeZone, monthMs, work });
};

const TIMEOUT_MS = 10_000;

/** May deliver an event twice if the first response is lost, as real providers do. */
export const deliverSandboxEvent = defineJob({
  name: 'deliver-sandbox-event',
  lane: 'payments',
  payload: z.object({ eventId: z.string() }),
  maxAttempts: countAttemptsWithin(DAY),
  run: async (deps: SandboxDeps, { eventId }, { signal }) => {
    const sandbox = openSandbox(deps, sandboxWork);
    const webhook = await sandbox.signEvent(eventId);
    if (!webhook) return;
    const response = await fetch(`${deps.site.origin}/api/webhooks/sandbox`, {
      method: 'POST',
      headers: webhook.headers,
      body: new Uint8Array(webhook.rawBody),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The webhook got status ${response.status}.`);
    await sandbox.markDelivered(eventId);
  },
});

/** Runs when a page expires, a bank decides or a dispute is lost, and reads the payment as it is then. */
export const settleSandboxPayment = defineJob({
  name: 'settle-sandbox-payment',
  lane: 'payments',
  payload: z.object({ paymentId: z.string() }),
  maxAttempts: countAttemptsWithin(DAY),
  run: (deps: SandboxDeps, { paymentId }) => openSandbox(deps, sandboxWork).settle(paymentId),
});

export const sandboxWork: SandboxWork = {
  deliver: (tx, eventId, now) => enqueue(tx, deliverSandboxEvent, { eventId }, { now }),
  settleAt: (tx, paymentId, { at, now }) =>
    enqueue(tx, settleSandboxPayment, { paymentId }, { now, runAt: at }),
};
