import type { Subscription } from '#contract/billing.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { recordAction } from '../../audit/service.ts';
import { hashToken, newToken } from '../../../http/tokens.ts';
import { newId } from '../../../ids.ts';
import { toLedgerContext, buildLedgerEntry } from '../ledger/ledger-entries.ts';
import { appendEntry } from '../ledger/service.ts';
import { getSubscription } from '../subscription/service.ts';

/** Returns the link once; only its hash is stored. */
export async function createGift(
  { database, clock, site }: Deps,
  viewer: Viewer,
  { months, from }: { months: number; from: string },
): Promise<{ url: string; months: number }> {
  const token = newToken();
  const now = clock.now();
  const id = newId(now);
  await database.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('gifts')
      .values({
        id,
        token_hash: hashToken(token),
        months,
        from_name: from,
        created_by: viewer.user.id,
        created_at: now,
        redeemed_by: null,
        redeemed_at: null,
      })
      .execute();
    const subject = { kind: 'gift' as const, id };
    await recordAction(
      tx,
      { actor: viewer, action: 'gift.created', subject, after: { months } },
      now,
    );
  });
  return { url: `${site.origin}/gift/${token}`, months };
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

/** One user can redeem a gift once: the gift and the ledger change in one transaction. */
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
