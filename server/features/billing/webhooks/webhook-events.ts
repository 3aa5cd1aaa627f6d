import { z } from 'zod';
import { DAY } from '#contract/rules/time.ts';
import { addToRows } from '../../../db/add-to-rows.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { newId } from '../../../ids.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import {
  isNotFound,
  type ProviderSubscriptionState,
  type WebhookEvent,
  WebhookSubject,
} from '../../../ports/payments/payments.ts';
import { openIssue, unknownChargeKey } from '../../payment-issues/service.ts';
import { cancelForDepartedMember, requestCancellation } from '../privacy/departed-members.ts';
import { findCheckout, findProviderSubscription, listUsersOfCustomer } from '../queries.ts';
import type { Hints } from '../reconcile/provider-state.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';

/** Card data that identifies a card or could charge it again: not needed to understand an event. */
const CARD_FIELDS = ['authorization_code', 'bin', 'signature', 'fingerprint', 'account_name'];
const HIDDEN = '[card]';
const mentionsCard = new RegExp(`"(?:${CARD_FIELDS.join('|')})"\\s*:`);

/** The body as it came, for debugging, but without card data. */
function hideCardData(rawBody: Buffer): string {
  // PostgreSQL stores no NUL in a text.
  const text = rawBody.toString('utf8').replaceAll('\0', '');
  if (!mentionsCard.test(text)) return text;
  return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
    CARD_FIELDS.includes(key) && value !== null ? HIDDEN : value,
  );
}

const Subjects = z.array(WebhookSubject);

/** A user's id; null for a deleted account. */
type Owner = string | null;

const findChargeOwner = (db: Db, provider: string, chargeId: string) =>
  db
    .selectFrom('ledger_entries')
    .select('user_id')
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .executeTakeFirst();

async function findOwners(db: Db, provider: string, subject: WebhookSubject): Promise<Owner[]> {
  const { reference, providerSubscriptionId, chargeId, customerId } = subject;
  const checkout = reference ? await findCheckout(db, reference) : undefined;
  if (checkout) return [checkout.user_id];
  const providerSubscription = providerSubscriptionId
    ? await findProviderSubscription(db, provider, providerSubscriptionId)
    : undefined;
  if (providerSubscription) return [providerSubscription.user_id];
  const charge = chargeId ? await findChargeOwner(db, provider, chargeId) : undefined;
  if (charge) return [charge.user_id];
  return customerId ? listUsersOfCustomer(db, provider, customerId) : [];
}

/** What the provider says about a subscription; null if it doesn't have it. */
async function askForSubscription({ payments }: Deps, id: string | null) {
  if (id === null) return null;
  try {
    return await payments.getProviderSubscription(id);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** A subscription that we don't know yet may name a checkout that we do know. */
async function askForOwners(
  { database, payments, clock }: Deps,
  state: ProviderSubscriptionState | null,
): Promise<Owner[]> {
  if (!state) return [];
  const { providerSubscription, charges } = state;
  const { id: providerSubscriptionId } = providerSubscription;
  for (const { reference } of charges) {
    const checkout = reference ? await findCheckout(database.db, reference) : undefined;
    if (checkout?.user_id === null && providerSubscription.status !== 'ended')
      await requestCancellation(
        database.db,
        { provider: payments.name, providerSubscriptionId },
        clock.now(),
      );
    if (checkout) return [checkout.user_id];
  }
  return listUsersOfCustomer(database.db, payments.name, providerSubscription.customerId);
}

const toHints = ({ reference, providerSubscriptionId, customerId }: WebhookSubject): Hints => ({
  references: reference ? [reference] : [],
  providerSubscriptionIds: providerSubscriptionId ? [providerSubscriptionId] : [],
  customerIds: customerId ? [customerId] : [],
});

/** The customer of a deleted account may have a new one: only the subscription itself can tell. */
async function isUncertain(
  { database, payments }: Deps,
  { reference, providerSubscriptionId }: WebhookSubject,
  owners: readonly Owner[],
): Promise<boolean> {
  if (owners.some((owner) => owner !== null)) return false;
  const { db } = database;
  if (reference && (await findCheckout(db, reference))) return false;
  return (
    !providerSubscriptionId ||
    !(await findProviderSubscription(db, payments.name, providerSubscriptionId))
  );
}

/** Whether a payment or subscription that we don't know may be one of ours. */
async function isPerhapsOurs(
  { payments }: Deps,
  { chargeId, reference }: WebhookSubject,
  state: ProviderSubscriptionState | null,
): Promise<boolean> {
  if (chargeId !== null) return payments.isOurs(chargeId);
  if (state) return state.providerSubscription.plan !== null;
  if (reference === null) return false;
  const { state: checkout, charge } = await payments.getCheckout(reference);
  if (charge) return payments.isOurs(charge.id);
  return checkout !== 'unknown';
}

/** No one here started it, but it may be known a moment later. */
class UnknownPayment extends Error {
  override name = 'UnknownPayment';
  readonly subject: WebhookSubject;
  constructor(subject: WebhookSubject) {
    super('This webhook event is about a payment that didn’t start here.');
    this.subject = subject;
  }
}

/** No owners: it is about another product on the same account. */
async function processSubject(deps: Deps, subject: WebhookSubject): Promise<Owner[]> {
  const found = await findOwners(deps.database.db, deps.payments.name, subject);
  const state = (await isUncertain(deps, subject, found))
    ? await askForSubscription(deps, subject.providerSubscriptionId)
    : null;
  const asked = await askForOwners(deps, state);
  const owners = asked.length > 0 ? asked : found;
  if (owners.length === 0 && (await isPerhapsOurs(deps, subject, state)))
    throw new UnknownPayment(subject);
  for (const userId of owners)
    if (userId !== null) await reconcileSubscription(deps, userId, { hints: toHints(subject) });
    else await cancelForDepartedMember(deps, subject);
  return owners;
}

export const ignoredCounter = (provider: string): string => `ignored-webhooks:${provider}`;

const countIgnored = (tx: Tx, provider: string) =>
  addToRows(tx, 'counters', ['name'], [{ name: ignoredCounter(provider), value: 1 }]);

const openUnknownIssue = (
  tx: Tx,
  provider: string,
  { reference, chargeId, providerSubscriptionId }: WebhookSubject,
  now: number,
) => {
  const id = chargeId ?? providerSubscriptionId ?? reference ?? '';
  const key = unknownChargeKey(provider, id);
  const because = `The payment provider reports a payment or subscription (${id}) for one of our plans that no one started here. Look it up at the provider and refund or cancel it there.`;
  return openIssue(
    tx,
    { key, kind: 'unknown-charge', provider, chargeId: id, reference, because },
    now,
  );
};

/** What became of an event: whose it was, or which payment no one here knows. */
type Processed = { owners: Owner[]; unknown: WebhookSubject | null };

async function processSubjects(
  deps: Deps,
  subjects: readonly WebhookSubject[],
  isLastAttempt: boolean,
): Promise<Processed> {
  const owners: Owner[] = [];
  let unknown: WebhookSubject | null = null;
  for (const subject of subjects)
    try {
      owners.push(...(await processSubject(deps, subject)));
    } catch (error) {
      if (!(error instanceof UnknownPayment) || !isLastAttempt) throw error;
      unknown = subject;
    }
  return { owners, unknown };
}

/** Asks the provider again: a webhook event says where to look, but is not trusted itself. */
export const processWebhookEvent = defineJob({
  name: 'process-webhook-event',
  lane: 'payments',
  payload: z.object({ id: z.string() }),
  // An event may arrive before its checkout is stored.
  maxAttempts: countAttemptsWithin(3 * DAY),
  run: async (deps: Deps, { id }, job) => {
    const { database, payments, clock } = deps;
    const row = await database.db
      .selectFrom('webhook_events')
      .select(['provider', 'subjects', 'state'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row || row.state === 'done') return;
    if (row.provider !== payments.name)
      throw new Error(`The site no longer uses ${row.provider} for payments.`);
    const subjects = Subjects.parse(JSON.parse(row.subjects));
    const isLastAttempt = job.attempt >= job.maxAttempts;
    const { owners, unknown } = await processSubjects(deps, subjects, isLastAttempt);
    await job.finish(async (tx) => {
      if (unknown) await openUnknownIssue(tx, row.provider, unknown, clock.now());
      else if (owners.length === 0) await countIgnored(tx, row.provider);
      await tx
        .updateTable('webhook_events')
        .set({
          state: 'done',
          user_id: owners.find((owner) => owner !== null) ?? null,
          processed_at: clock.now(),
          // All its accounts are deleted, or it is about someone else's customer.
          ...(owners.every((owner) => owner === null) ? { body: '' } : {}),
        })
        .where('id', '=', id)
        .execute();
    });
  },
});

/** Stores a genuine event once, together with the job that processes it. */
export async function storeWebhookEvent(
  deps: Deps,
  event: WebhookEvent,
  rawBody: Buffer,
): Promise<void> {
  const { database, payments, clock } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('webhook_events')
      .values({
        id: newId(now),
        provider: payments.name,
        event_id: event.eventId,
        kind: event.kind,
        subjects: JSON.stringify(event.subjects),
        body: hideCardData(rawBody),
        state: 'waiting',
        user_id: null,
        received_at: now,
        processed_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row)
      await enqueue(
        tx,
        processWebhookEvent,
        { id: row.id },
        { now, uniqueKey: `webhook-event:${row.id}` },
      );
  });
  deps.jobs.wake();
}
