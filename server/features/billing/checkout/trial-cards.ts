import type { Tx } from '../../../db/connect.ts';
import type { PaymentRow } from '../queries.ts';
import type { SealedCard } from '../subscriptions/cards.ts';

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
