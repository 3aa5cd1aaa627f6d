import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { Card as CardOfInvoice } from '#contract/billing.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import { decryptText, encryptText, readSecret } from '../../../db/secrets.ts';
import type { PaymentMethodsTable } from '../../../db/types/billing-tables.ts';
import type { Deps } from '../../../deps.ts';
import { newId } from '../../../db/ids.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { requireSteadyClock } from '../../../jobs/wrong-clock.ts';
import type { Card, SavedCard } from '../../../ports/payments/payments.ts';
import type { PaymentRow } from '../queries.ts';

export type PaymentMethod = PaymentMethodsTable;

const PURPOSE = 'payment-methods';
const FINGERPRINTS = 'card-fingerprints';

/** A saved card without anything in it that could charge it. */
export type SealedCard = Omit<PaymentMethod, 'id' | 'user_id' | 'state' | 'created_at'>;

/** The same card has the same hash in every account. */
async function hashFingerprint(
  db: Db,
  provider: string,
  fingerprint: string | null,
): Promise<string | null> {
  if (fingerprint === null) return null;
  const secret = await readSecret(db, FINGERPRINTS);
  return createHmac('sha256', secret).update(`${provider}:${fingerprint}`).digest('base64url');
}

export async function sealCard(
  db: Db,
  provider: string,
  saved: SavedCard | null,
): Promise<SealedCard | null> {
  if (!saved) return null;
  const { card, token, email, customerId, fingerprint } = saved;
  return {
    provider,
    token: await encryptText(db, PURPOSE, token),
    email: await encryptText(db, PURPOSE, email),
    customer_id: customerId,
    fingerprint_hash: await hashFingerprint(db, provider, fingerprint),
    brand: card?.brand ?? 'Card',
    last4: card?.last4 ?? '',
    expiry_month: card?.expiryMonth ?? 0,
    expiry_year: card?.expiryYear ?? 0,
  };
}

/** The card is the member's only one from now on; the provider forgets the one before. */
export async function keepCard(
  tx: Tx,
  userId: string,
  sealed: SealedCard,
  now: number,
): Promise<string> {
  const before = await tx
    .updateTable('payment_methods')
    .set({ state: 'replaced' })
    .where('user_id', '=', userId)
    .where('state', '=', 'active')
    .returning(['id'])
    .execute();
  const id = newId(now);
  await tx
    .insertInto('payment_methods')
    .values({ ...sealed, id, user_id: userId, state: 'active', created_at: now })
    .execute();
  for (const old of before) await requestForgetting(tx, old.id, now);
  return id;
}

export const findMethod = async (db: Db, id: string | null): Promise<PaymentMethod | null> =>
  id === null
    ? null
    : ((await db
        .selectFrom('payment_methods')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()) ?? null);

/** The card of a subscription, also of one that has ended, without what charges it. */
export const presentCard = (method: PaymentMethod | null): Card | null =>
  method === null || method.last4 === ''
    ? null
    : {
        brand: method.brand,
        last4: method.last4,
        expiryMonth: method.expiry_month,
        expiryYear: method.expiry_year,
      };

/** A card as an invoice keeps it. */
export const parseCard = (text: string | null): Card | null =>
  text === null ? null : CardOfInvoice.parse(JSON.parse(text));

/** What charges the card: only for a call to the provider. */
export const unsealCard = async (
  db: Db,
  { token, email, customer_id }: PaymentMethod,
): Promise<Pick<SavedCard, 'token' | 'email' | 'customerId'>> => ({
  token: await decryptText(db, PURPOSE, token),
  email: await decryptText(db, PURPOSE, email),
  customerId: customer_id,
});

/** A payment that was asked for with the card may still need it. */
const WAIT_MS = 2 * DAY;

/** Asks the provider to forget a card that was replaced or whose account was deleted, then forgets it. */
export const forgetCardJob = defineJob({
  name: 'forget-card',
  lane: 'payments',
  payload: z.object({ methodId: z.string() }),
  maxAttempts: countAttemptsWithin(60 * DAY),
  run: async (deps: Deps, { methodId }, job) => {
    const { database, payments } = deps;
    await requireSteadyClock(deps);
    const method = await findMethod(database.db, methodId);
    if (!method || (method.state === 'active' && method.user_id !== null)) return;
    const other = await database.db
      .selectFrom('payment_methods')
      .select('id')
      .where('provider', '=', method.provider)
      .where('fingerprint_hash', '=', method.fingerprint_hash)
      .where('state', '=', 'active')
      .where('id', '<>', methodId)
      .executeTakeFirst();
    // The same card, saved again: some providers have one token for both.
    if (!other && method.provider === payments.name)
      await payments.forgetCard(await unsealCard(database.db, method));
    await job.finish(async (tx) => {
      await tx.deleteFrom('payment_methods').where('id', '=', methodId).execute();
    });
  },
});

export const requestForgetting = (tx: Tx, methodId: string, now: number, waitMs = WAIT_MS) =>
  enqueue(
    tx,
    forgetCardJob,
    { methodId },
    { now, runAt: now + waitMs, uniqueKey: `forget-card:${methodId}` },
  );

/**
 * Each card has one free trial, in any account. False if someone else has had it; a deleted account
 * counts as someone else. Without a fingerprint the card can't be told from others.
 */
export async function claimTrialCard(
  tx: Tx,
  { reference, user_id }: PaymentRow,
  card: SealedCard | null,
  now: number,
): Promise<boolean> {
  const hash = card?.fingerprint_hash ?? null;
  if (hash === null) return true;
  await tx
    .insertInto('trial_cards')
    .values({ card_hash: hash, reference, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const claim = await tx
    .selectFrom('trial_cards')
    .leftJoin('payments', 'payments.reference', 'trial_cards.reference')
    .select(['trial_cards.reference', 'payments.user_id'])
    .where('card_hash', '=', hash)
    .executeTakeFirst();
  return !claim || claim.reference === reference || claim.user_id === user_id;
}
