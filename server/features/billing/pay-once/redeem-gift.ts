import type { Selectable } from 'kysely';
import type { Subscription } from '#contract/billing.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import { decryptText, encryptText } from '../../../db/secrets.ts';
import type { GiftsTable } from '../../../db/types/offer-tables.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { hashToken, newToken } from '../../../http/route/tokens.ts';
import { newId } from '../../../db/ids.ts';
import { recordAction } from '../../audit/service.ts';
import { appendEntry, buildLedgerEntry, toLedgerContext } from '../ledger/ledger-entries.ts';
import { getSubscription } from '../subscriptions/service.ts';

export type GiftRow = Selectable<GiftsTable>;

/** Who created it, where no administrator did. */
export const boughtBy = (provider: string): string => `bought:${provider}`;

/** Returns the link once; only its hash is stored. */
export async function createGift(
  { database, clock, site }: Deps,
  viewer: Viewer,
  { months, from }: { months: number; from: string },
): Promise<{ url: string; months: number }> {
  const token = newToken();
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const id = newId(now);
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

/** A link that isn't paid for yet is unknown; one that was refunded says so. */
async function findGift(db: Db, token: string): Promise<GiftRow> {
  const gift = await db
    .selectFrom('gifts')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!gift || (gift.reference !== null && gift.paid_at === null)) throw new AppError('not_found');
  if (gift.void_at !== null) throw new AppError('gift_void');
  return gift;
}

export async function getGift(
  { database }: Deps,
  token: string,
): Promise<{ months: number; from: string; words: string; isRedeemed: boolean }> {
  const { months, from_name: from, words, redeemed_at } = await findGift(database.db, token);
  return { months, from, words: words ?? '', isRedeemed: redeemed_at !== null };
}

const claim = (tx: Tx, { id }: GiftRow, userId: string, now: number) =>
  tx
    .updateTable('gifts')
    .set({ redeemed_by: userId, redeemed_at: now })
    .where('id', '=', id)
    .where('redeemed_at', 'is', null)
    .where('void_at', 'is', null)
    .returning('id')
    .executeTakeFirst();

/**
 * One user can redeem a gift once: the gift and the ledger change in one transaction. It counts from
 * the end of the time that the user has, and moves their next payment.
 */
export async function redeemGift(deps: Deps, viewer: Viewer, token: string): Promise<Subscription> {
  const { database, clock } = deps;
  const { id: userId } = viewer.user;
  const now = clock.now();
  const gift = await findGift(database.db, token);
  await database.db.transaction().execute(async (tx) => {
    if (!(await claim(tx, gift, userId, now))) throw new AppError('gift_redeemed');
    const { months, provider, reference } = gift;
    const entry = buildLedgerEntry('gift', now, `Claimed a ${months}-month gift.`, {
      months,
      // One that was bought with a test card gives no access where real money is taken.
      provider,
      detail: reference === null ? null : JSON.stringify({ reference }),
      actor: 'user',
    });
    await appendEntry(tx, userId, entry, toLedgerContext(deps));
  });
  deps.jobs.wake();
  return getSubscription(deps, viewer);
}

/** What encrypts the links of bought gifts, which their buyers can see again. */
const PURPOSE = 'gift-links';

export async function createLink({ database }: Deps): Promise<{ token: string; stored: string }> {
  const token = newToken();
  return { token, stored: await encryptText(database.db, PURPOSE, token) };
}

export const readGiftUrl = async (
  { database, site }: Deps,
  { token }: Pick<GiftRow, 'token'>,
): Promise<string> => `${site.origin}/gift/${await decryptText(database.db, PURPOSE, token ?? '')}`;
