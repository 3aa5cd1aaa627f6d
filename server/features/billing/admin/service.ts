import { z } from 'zod';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { isRefusal, PaymentsError } from '../../../ports/payments/payments.ts';
import { findAction, recordAction, type AuditedAction } from '../../audit/service.ts';
import { askProvider } from '../ask-provider.ts';
import { findInvoice, formatInvoiceNumber } from '../invoices/service.ts';
import { toLedgerContext } from '../ledger/ledger-entries.ts';
import { endAccess } from '../ledger/service.ts';
import { findPaidThroughOf, listProviderSubscriptionsOf } from '../queries.ts';
import { refundCharge } from '../refund-charge.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import { listRenewing } from '../subscription/service.ts';

/** The request itself pays the refund; the job only finishes what it leaves undone. */
const FINISH_MS = 3 * MINUTE;

const Refund = z.object({
  /** The entry of the audit log that says who asked for it, for whom and why. */
  actionId: z.string(),
  /** Absent in a job of an older version. */
  provider: z.string().optional(),
  chargeId: z.string(),
  amount: z.int(),
  key: z.string(),
  endsSubscription: z.boolean(),
});
type Refund = z.infer<typeof Refund>;

type Request = Pick<AuditedAction, 'actor' | 'after' | 'because'> & { userId: string | null };

/** With paid time left it ends with that time, otherwise now. */
async function stopRenewing(deps: Deps, userId: string, { actor, because }: Request) {
  const { database, payments, clock } = deps;
  const rows = await listProviderSubscriptionsOf(database.db, userId);
  const renewing = listRenewing(rows, payments.name);
  if (renewing.length === 0) return;
  const hasTimeLeft = ((await findPaidThroughOf(database.db, userId)) ?? 0) > clock.now();
  for (const { provider_subscription_id: id } of renewing)
    await (hasTimeLeft ? payments.cancelAtPeriodEnd(id) : payments.endNow(id));
  const by = typeof actor === 'object' && 'userId' in actor ? actor.userId : 'system';
  const intent = { kind: 'cancelled' as const, because: because ?? 'Refunded.', detail: null };
  await reconcileSubscription(deps, userId, { intent: { ...intent, actor: by } });
}

/** Every step may be repeated: after a crash anywhere the whole thing runs again. */
async function makeRefund(deps: Deps, { provider, chargeId, amount, key }: Refund): Promise<void> {
  if (provider !== undefined && provider !== deps.payments.name)
    throw new Error(`Refund ${chargeId} by hand: the site no longer uses ${provider}.`);
  await refundCharge(deps, { chargeId, amount, key });
}

async function followRefund(deps: Deps, refund: Refund, request: Request): Promise<void> {
  // The account may have been deleted, which cancels its subscription.
  if (request.userId === null) return;
  await reconcileSubscription(deps, request.userId);
  if (refund.endsSubscription) await stopRenewing(deps, request.userId, request);
}

async function recordRefund(
  tx: Tx,
  { endsSubscription }: Refund,
  { userId, ...request }: Request,
  now: number,
) {
  const subject = { kind: 'user' as const, ...(userId !== null && { id: userId }) };
  await recordAction(tx, { ...request, action: 'payment.refunded', subject }, now);
  if (endsSubscription)
    await recordAction(
      tx,
      { ...request, action: 'subscription.ended', subject, after: { isImmediate: false } },
      now,
    );
}

async function findRequest({ database }: Deps, actionId: string): Promise<Request> {
  const action = await findAction(database.db, actionId);
  const user = await database.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', action?.subjectId ?? '')
    .executeTakeFirst();
  return {
    userId: user?.id ?? null,
    actor: action?.actorId ? { userId: action.actorId } : 'console',
    ...(action && { after: action.after }),
    ...(action?.because && { because: action.because }),
  };
}

/** Finishes a refund that a crash or an outage of the provider interrupted. */
export const finishRefund = defineJob({
  name: 'finish-refund',
  lane: 'payments',
  payload: Refund,
  maxAttempts: countAttemptsWithin(7 * DAY),
  run: async (deps: Deps, refund, job) => {
    await makeRefund(deps, refund);
    const request = await findRequest(deps, refund.actionId);
    await followRefund(deps, refund, request);
    await job.finish((tx) => recordRefund(tx, refund, request, deps.clock.now()));
    deps.jobs.wake();
  },
});

/** Whether it was still waiting: then this request is the one that completes it. */
async function takeJob(tx: Tx, key: string): Promise<boolean> {
  const taken = await tx
    .deleteFrom('jobs')
    .where('unique_key', '=', key)
    .where('state', '<>', 'running')
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

type RefundInput = {
  invoiceId: string;
  amount: number;
  endsSubscription: boolean;
  because: string;
};

/** In the audit log before the provider is asked, so that every refund has an author. */
async function requestRefund(
  { database, payments, clock }: Deps,
  viewer: Viewer,
  userId: string,
  { invoiceId, amount, endsSubscription, because }: RefundInput,
): Promise<{ refund: Refund; request: Request }> {
  const invoice = await findInvoice(database.db, userId, invoiceId);
  if (!invoice || invoice.provider !== payments.name) throw new AppError('not_found');
  if (amount > invoice.amount - invoice.refunded) {
    const message = 'That’s more than the refundable amount.';
    throw new AppError('validation_failed', { message, fields: { amount: message } });
  }
  const { number, currency } = invoice;
  const after = { invoice: formatInvoiceNumber(number), amount, currency };
  const now = clock.now();
  const key = `refund:${invoice.id}:${invoice.refunded}:${amount}`;
  return database.db.transaction().execute(async (tx) => {
    const actionId = await recordAction(
      tx,
      {
        actor: viewer,
        action: 'refund.requested',
        subject: { kind: 'user', id: userId },
        after: { ...after, endsSubscription },
        because,
      },
      now,
    );
    const refund = {
      actionId,
      provider: invoice.provider,
      chargeId: invoice.charge_id,
      amount,
      key,
      endsSubscription,
    };
    await enqueue(tx, finishRefund, refund, { now, runAt: now + FINISH_MS, uniqueKey: key });
    return { refund, request: { userId, actor: { userId: viewer.user.id }, after, because } };
  });
}

/**
 * Refunds all or part of a payment and, if asked to, stops further charges. Asking again for the same
 * refund pays it once, and what a crash leaves undone is finished by the job.
 */
export async function refundPayment(
  deps: Deps,
  viewer: Viewer,
  userId: string,
  input: RefundInput,
): Promise<void> {
  const { refund, request } = await requestRefund(deps, viewer, userId, input);
  const { database, clock, log } = deps;
  try {
    await makeRefund(deps, refund);
  } catch (error) {
    if (!isRefusal(error)) throw explainDelay(deps, error);
    log.error({ err: error }, 'The payment provider refused a refund.');
    await database.db.transaction().execute((tx) => takeJob(tx, refund.key));
    const reason = error instanceof Error ? error.message : '';
    throw new AppError('refund_refused', {
      message: `The payment provider refused the refund, and nothing was refunded: ${reason}`,
    });
  }
  await followRefund(deps, refund, request).catch((error: unknown) => {
    throw explainDelay(deps, error);
  });
  await database.db.transaction().execute(async (tx) => {
    if (await takeJob(tx, refund.key)) await recordRefund(tx, refund, request, clock.now());
  });
  deps.jobs.wake();
}

function explainDelay({ log }: Deps, error: unknown): unknown {
  if (!(error instanceof PaymentsError)) return error;
  log.error({ err: error }, 'The payment provider failed during a refund.');
  return new AppError('provider_unavailable', {
    message:
      'The payment provider isn’t responding. Your request is recorded, and we’ll finish it as soon as the provider responds. You don’t need to ask again.',
  });
}

type End = {
  isImmediate: boolean;
  because: string;
  /** Only this one; everything that renews if absent. */
  providerSubscriptionId?: string | undefined;
};

/** Stops further charges. Access lasts until the end of the period, or with `isImmediate` ends now. */
export async function endSubscription(
  deps: Deps,
  viewer: Viewer,
  userId: string,
  { isImmediate, because, providerSubscriptionId }: End,
): Promise<void> {
  const { database, payments } = deps;
  const actor = viewer.user.id;
  const rows = await listProviderSubscriptionsOf(database.db, userId);
  const renewing = listRenewing(rows, payments.name).filter(
    (row) =>
      (providerSubscriptionId ?? row.provider_subscription_id) === row.provider_subscription_id,
  );
  if (renewing.length === 0 && !isImmediate) throw new AppError('not_subscribed');
  if (renewing.length > 0)
    await askProvider(deps, async () => {
      for (const { provider_subscription_id: id } of renewing)
        await (isImmediate ? payments.endNow(id) : payments.cancelAtPeriodEnd(id));
      const intent = { kind: 'cancelled' as const, because, detail: null, actor };
      await reconcileSubscription(deps, userId, { intent });
    });
  const context = toLedgerContext(deps);
  await database.db.transaction().execute(async (tx) => {
    if (isImmediate) await endAccess(tx, userId, { because, actor }, context);
    const subject = { kind: 'user' as const, id: userId };
    const action = 'subscription.ended';
    await recordAction(
      tx,
      { actor: viewer, action, subject, after: { isImmediate }, because },
      context.now,
    );
  });
  deps.jobs.wake();
}
