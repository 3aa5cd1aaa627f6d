import type { Subscription } from '#contract/billing.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { recordAct } from '../audit/service.ts';
import { hashToken, newToken } from '../../http/tokens.ts';
import { newId } from '../../ids.ts';
import { holdAccount } from './account.ts';
import { newEvent } from './ledger-event.ts';
import { listLedger } from './queries.ts';
import { recordEvents } from './record.ts';
import { readSubscription } from './service.ts';

/** The link is answered once; only its hash is kept. */
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
    await recordAct(tx, { actor: viewer, act: 'gift.made', subject, after: { months } }, now);
  });
  return { url: `${site.origin}/gift/${token}`, months };
}

const findGift = ({ database }: Deps, token: string) =>
  database.db
    .selectFrom('gifts')
    .select(['months', 'from_name', 'redeemed_at'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();

export async function readGift(
  deps: Deps,
  token: string,
): Promise<{ months: number; from: string; isRedeemed: boolean }> {
  const gift = await findGift(deps, token);
  if (!gift) throw new AppError('not_found');
  return { months: gift.months, from: gift.from_name, isRedeemed: gift.redeemed_at !== null };
}

/** Taken once, by one: the row is taken and the ledger written together. */
export async function redeemGift(deps: Deps, viewer: Viewer, token: string): Promise<Subscription> {
  const { database, payments, clock } = deps;
  const { id: userId } = viewer.user;
  const now = clock.now();
  if (!(await findGift(deps, token))) throw new AppError('not_found');
  await database.db.transaction().execute(async (tx) => {
    await holdAccount(tx, userId);
    const gift = await tx
      .updateTable('gifts')
      .set({ redeemed_by: userId, redeemed_at: now })
      .where('token_hash', '=', hashToken(token))
      .where('redeemed_at', 'is', null)
      .returning('months')
      .executeTakeFirst();
    if (!gift) throw new AppError('gift_redeemed');
    const { months } = gift;
    const because = `A gift of ${months} ${months === 1 ? 'month' : 'months'} was taken.`;
    const event = newEvent('gift', now, because, { months, actor: 'member' });
    const ledger = await listLedger(tx, userId);
    const { timeZone } = deps.config;
    const place = { now, calendar: payments.calendar, timeZone };
    await recordEvents(tx, { userId, ledger }, [event], place);
  });
  deps.jobs.wake();
  return readSubscription(deps, viewer);
}
