import { createHmac } from 'node:crypto';
import type { Db, Tx } from '../../../db/connect.ts';
import { readSecret } from '../../../db/secrets.ts';
import type { ProviderCheckoutState } from '../../../ports/payments/payments.ts';
import { AccountChanged } from '../account-lock.ts';
import type { CheckoutRow } from '../queries.ts';

const SECRET = 'trial-cards';

type TrialCheckout = Pick<CheckoutRow, 'reference' | 'user_id' | 'provider'>;

/** The card of a checkout with a trial, and whether someone else has had a trial with it. */
export type TrialCard = { hash: string; isUsed: boolean };
/** By the reference of the checkout. */
export type TrialCards = ReadonlyMap<string, TrialCard>;

/** A deleted account counts as someone else: its card has had its trial. */
async function isUsedByOther(
  db: Db,
  hash: string,
  { reference, user_id }: TrialCheckout,
): Promise<boolean> {
  const card = await db
    .selectFrom('trial_cards')
    .leftJoin('checkouts', 'checkouts.reference', 'trial_cards.reference')
    .select(['trial_cards.reference', 'checkouts.user_id'])
    .where('card_hash', '=', hash)
    .executeTakeFirst();
  if (!card || card.reference === reference) return false;
  return card.user_id === null || card.user_id !== user_id;
}

/** The cards of undecided checkouts, where the provider says which card it is. */
export async function readTrialCards(
  db: Db,
  checkouts: readonly CheckoutRow[],
  states: ReadonlyMap<string, ProviderCheckoutState>,
): Promise<TrialCards> {
  const cards = new Map<string, TrialCard>();
  for (const row of checkouts) {
    const fingerprint = states.get(row.reference)?.cardFingerprint ?? null;
    if (row.free_kind !== 'trial' || row.state === 'paid' || fingerprint === null) continue;
    const secret = await readSecret(db, SECRET);
    const hash = createHmac('sha256', secret)
      .update(`${row.provider}:${fingerprint}`)
      .digest('base64url');
    cards.set(row.reference, { hash, isUsed: await isUsedByOther(db, hash, row) });
  }
  return cards;
}

/** Remembers the cards of trials that start now; two accounts never get one with the same card. */
export async function claimTrialCards(
  tx: Tx,
  claims: readonly { hash: string; checkout: TrialCheckout }[],
  now: number,
) {
  for (const { hash, checkout } of claims) {
    const { reference } = checkout;
    await tx
      .insertInto('trial_cards')
      .values({ card_hash: hash, reference, at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Someone else was faster: decide again.
    if (await isUsedByOther(tx, hash, checkout)) throw new AccountChanged();
  }
}
