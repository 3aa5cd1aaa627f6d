import { z } from 'zod';
import { attemptsOver } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { SandboxWork } from '../../ports/payments/sandbox/parts.ts';
import { openSandbox, type SandboxDeps } from './open-sandbox.ts';
import { DAY } from '#contract/rules/time.ts';

const ANSWER_LIMIT_MS = 10_000;

/** Whoever is told twice, because the first answer got lost, has to cope: real providers do the same. */
export const deliverSandboxEvent = defineJob({
  name: 'deliver-sandbox-event',
  payload: z.object({ eventId: z.string() }),
  maxAttempts: attemptsOver(DAY),
  run: async (deps: SandboxDeps, { eventId }, { signal }) => {
    const sandbox = openSandbox(deps, sandboxWork);
    const webhook = await sandbox.signEvent(eventId);
    if (!webhook) return;
    const response = await fetch(`${deps.site.origin}/api/webhooks/sandbox`, {
      method: 'POST',
      headers: webhook.headers,
      body: new Uint8Array(webhook.rawBody),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The webhook was answered with ${response.status}.`);
    await sandbox.markTold(eventId);
  },
});

/** Comes when a payment is due; whatever has changed until then is seen when it comes. */
export const renewSandboxAgreement = defineJob({
  name: 'renew-sandbox-agreement',
  payload: z.object({ agreementId: z.string() }),
  maxAttempts: attemptsOver(DAY),
  run: (deps: SandboxDeps, { agreementId }) => openSandbox(deps, sandboxWork).renew(agreementId),
});

export const sandboxWork: SandboxWork = {
  deliver: (tx, eventId, now) => enqueue(tx, deliverSandboxEvent, { eventId }, { now }),
  renewAt: (tx, agreementId, { at, now }) =>
    enqueue(
      tx,
      renewSandboxAgreement,
      { agreementId },
      { now, runAt: at, uniqueKey: `sandbox-renewal:${agreementId}:${at}` },
    ),
};
