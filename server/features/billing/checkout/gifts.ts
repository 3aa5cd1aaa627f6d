import { z } from 'zod';
import type { Subscription } from '#contract/billing.ts';
import { formatMoney } from '#contract/rules/format.ts';
import type { Tx } from '../../../db/connect.ts';
import { decryptText } from '../../../db/secrets.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { hashToken, newToken } from '../../../http/tokens.ts';
import { newId } from '../../../ids.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import { recordAction } from '../../audit/service.ts';
import {
  appendEntry,
  appendLedgerEntries,
  buildLedgerEntry,
  toLedgerContext,
} from '../ledger/ledger-entries.ts';
import { listLedgerEntries, type PaymentRow } from '../queries.ts';
import { getSubscription } from '../subscriptions/service.ts';

type NewGift = { token: string; months: number; from: string; createdBy: string };

const insertGift = async (tx: Tx, { token, months, from, createdBy }: NewGift, now: number) => {
  const id = newId(now);
  await tx
    .insertInto('gifts')
    .values({
      id,
      token_hash: hashToken(token),
      months,
      from_name: from,
      created_by: createdBy,
      created_at: now,
      redeemed_by: null,
      redeemed_at: null,
    })
    .execute();
  return id;
};

/** Returns the link once; only its hash is stored. */
export async function createGift(
  { database, clock, site }: Deps,
  viewer: Viewer,
  { months, from }: { months: number; from: string },
): Promise<{ url: string; months: number }> {
  const token = newToken();
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const id = await insertGift(tx, { token, months, from, createdBy: viewer.user.id }, now);
    const subject = { kind: 'gift' as const, id };
    await recordAction(
      tx,
      { actor: viewer, action: 'gift.created', subject, after: { months } },
      now,
    );
  });
  return { url: `${site.origin}/gift/${token}`, months };
}

/** Whoever has the token can redeem the gift, so it is stored encrypted. */
export const GIFTS = 'gifts';

/** What a bought gift says, in the `detail` of its payment. */
const GiftDetail = z.object({ token: z.string(), from: z.string() });

/** The link of a gift that was bought and paid; null before that. */
export async function readGiftLink(
  { database, site }: Deps,
  { kind, state, detail }: PaymentRow,
): Promise<string | null> {
  if (kind !== 'gift' || state !== 'paid') return null;
  const { token } = GiftDetail.parse(JSON.parse(detail ?? '{}'));
  return `${site.origin}/gift/${await decryptText(database.db, GIFTS, token)}`;
}

/** The payment has arrived: its link works from now on, and the buyer has no access from it. */
export async function deliverGift(
  tx: Tx,
  deps: Deps,
  { row, userId, state }: { row: PaymentRow; userId: string; state: PaymentState },
): Promise<void> {
  const context = toLedgerContext(deps);
  const gift = GiftDetail.parse(JSON.parse(row.detail ?? '{}'));
  const months = row.months ?? 1;
  const { from } = gift;
  const token = await decryptText(tx, GIFTS, gift.token);
  await insertGift(tx, { token, months, from, createdBy: userId }, context.now);
  const paid = formatMoney(state.amount, state.currency);
  const entry = buildLedgerEntry('gift-bought', state.at, `${paid} paid for a gift.`, {
    provider: row.provider,
    charge_id: state.chargeId,
    amount: state.amount,
    currency: state.currency,
    fee: state.fee,
    months,
    detail: JSON.stringify({ reference: row.reference }),
    actor: 'provider',
  });
  const ledger = await listLedgerEntries(tx, userId);
  await appendLedgerEntries(tx, { userId, ledger }, [entry], context);
}

const findGift = ({ database }: Deps, token: string) =>
  database.db
    .selectFrom('gifts')
    .select(['months', 'from_name', 'redeemed_at'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();

export async function getGift(
  deps: Deps,
  token: string,
): Promise<{ months: number; from: string; isRedeemed: boolean }> {
  const gift = await findGift(deps, token);
  if (!gift) throw new AppError('not_found');
  return { months: gift.months, from: gift.from_name, isRedeemed: gift.redeemed_at !== null };
}

/**
 * One user can redeem a gift once: the gift and the ledger change in one transaction. It counts from
 * the end of the time that the user has, and moves their next payment.
 */
export async function redeemGift(deps: Deps, viewer: Viewer, token: string): Promise<Subscription> {
  const { database, clock } = deps;
  const { id: userId } = viewer.user;
  const now = clock.now();
  if (!(await findGift(deps, token))) throw new AppError('not_found');
  await database.db.transaction().execute(async (tx) => {
    const gift = await tx
      .updateTable('gifts')
      .set({ redeemed_by: userId, redeemed_at: now })
      .where('token_hash', '=', hashToken(token))
      .where('redeemed_at', 'is', null)
      .returning('months')
      .executeTakeFirst();
    if (!gift) throw new AppError('gift_redeemed');
    const { months } = gift;
    const because = `Claimed a ${months}-month gift.`;
    const entry = buildLedgerEntry('gift', now, because, { months, actor: 'user' });
    await appendEntry(tx, userId, entry, toLedgerContext(deps));
  });
  deps.jobs.wake();
  return getSubscription(deps, viewer);
}
