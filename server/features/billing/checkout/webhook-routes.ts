import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DAY, HOUR, SECOND } from '#contract/rules/time.ts';
import { defineCounter } from '../../../http/load/counters.ts';
import type { Deps } from '../../../deps.ts';
import { toRateLimitAddress } from '../../../http/route/address.ts';
import { AppError } from '../../../http/route/app-error.ts';
import { registerIsolatedPlugin } from '../../../http/route/body-parsers.ts';
import { defineRateLimit, enforceRateLimits } from '../../../http/route/rate-limit.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { ForgedWebhook } from '../../../ports/payments/payments.ts';
import { findPayment } from '../queries.ts';
import { watchPayment } from '../subscriptions/jobs.ts';
import { updatePayment } from './open-page.ts';

/** Far more than any provider sends. */
const BODY_LIMIT = 512 * 1024;
const LOG_INTERVAL_MS = 10 * SECOND;

/** Only for requests without a valid signature, so that forgeries never delay real events. */
export const forgedByAddress = defineRateLimit({
  name: 'forged-webhook',
  what: 'Webhooks without a valid signature from one address',
  limit: 60,
  periodMs: HOUR,
});

/** As many addresses as a line of the log can have. */
const MAX_ADDRESSES = 5;

const countWebhook = defineCounter(
  'weekender_webhooks_total',
  'Webhooks of the payment provider, accepted or refused.',
  ['outcome'],
);

/** At most one line every ten seconds, with how many there were and from where. */
function createForgedWebhookLog({ payments, clock, log }: Deps) {
  let waiting = 0;
  let writtenAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const addresses = new Set<string>();

  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === 0) return;
    log.warn(
      { provider: payments.name, count: waiting, addresses: [...addresses] },
      'Refused webhooks without a valid signature. If they come from the provider, check its secret in the settings.',
    );
    waiting = 0;
    writtenAt = clock.now();
    addresses.clear();
  };

  return {
    write,
    add: (ip: string) => {
      waiting += 1;
      if (addresses.size < MAX_ADDRESSES) addresses.add(ip);
      if (clock.now() - writtenAt >= LOG_INTERVAL_MS) return write();
      timer ??= setTimeout(write, LOG_INTERVAL_MS).unref();
    },
  };
}
type ForgedWebhookLog = ReturnType<typeof createForgedWebhookLog>;

/** Reads the payment that an event is about: it says where to look, but isn't trusted itself. */
export const settleReportedPayment = defineJob({
  name: 'settle-reported-payment',
  lane: 'payments',
  payload: z.object({ provider: z.string(), reference: z.string() }),
  maxAttempts: countAttemptsWithin(DAY),
  run: async (deps: Deps, { provider, reference }, { attempt, maxAttempts }) => {
    if (provider !== deps.payments.name)
      throw new Error(`The site no longer uses ${provider} for payments.`);
    // A payment may be known a moment after the event about it; one that never is becomes an issue.
    if (attempt < maxAttempts && !(await findPayment(deps.database.db, reference)))
      throw new Error('This webhook event is about a payment that isn’t known yet.');
    await watchPayment(deps, reference);
  },
});

/** Of a genuine event only the payment's reference is kept, in the job that reads it. */
export async function reportPayment(deps: Deps, reference: string): Promise<void> {
  const { database, payments, clock, jobs } = deps;
  const now = clock.now();
  const { name: provider } = payments;
  await database.db.transaction().execute(async (tx) => {
    const uniqueKey = `reported:${provider}:${reference}`;
    const job = await enqueue(
      tx,
      settleReportedPayment,
      { provider, reference },
      { now, uniqueKey },
    );
    // The job that is there may have read the payment already: it is looked at again within a minute.
    if (job === null) await updatePayment(tx, { reference }, { check_at: now }, now);
  });
  jobs.wake();
}

export async function receiveWebhook(
  deps: Deps,
  headers: Parameters<Deps['payments']['parseWebhook']>[0],
  body: Buffer,
) {
  const reference = await deps.payments.parseWebhook(headers, body);
  // Events we don't need are accepted too, or the provider would send them again for days.
  if (reference !== null) await reportPayment(deps, reference);
}

async function refuseForged({ database, clock }: Deps, forged: ForgedWebhookLog, ip: string) {
  countWebhook('refused');
  forged.add(ip);
  const use = { rule: forgedByAddress, subject: toRateLimitAddress(ip) };
  await enforceRateLimits(database.db, [use], clock.now());
  throw new AppError('unauthenticated', { message: 'The webhook’s signature is invalid.' });
}

/** The body stays as it was sent: its signature covers exactly these bytes. */
export function registerWebhooks(app: FastifyInstance, deps: Deps) {
  const forged = createForgedWebhookLog(deps);
  app.addHook('onClose', async () => forged.write());
  registerIsolatedPlugin(app, (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_r, body, end) =>
      end(null, body),
    );
    scope.post<{ Params: { provider: string }; Body: unknown }>(
      '/api/webhooks/:provider',
      { bodyLimit: BODY_LIMIT },
      async ({ params, headers, body, ip }) => {
        if (params.provider !== deps.payments.name) throw new AppError('not_found');
        try {
          await receiveWebhook(deps, headers, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
        } catch (error) {
          if (!(error instanceof ForgedWebhook)) throw error;
          await refuseForged(deps, forged, ip);
        }
        countWebhook('accepted');
        return { received: true };
      },
    );
  });
}
