import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { lockAccount } from '../account-lock.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import {
  appendLedgerEntries,
  buildLedgerEntry,
  toLedgerContext,
} from '../ledger/ledger-entries.ts';
import { findPeriods } from '../ledger/paid-through.ts';
import { listLedgerEntries } from '../queries.ts';
import { moveNextPaymentBack } from '../subscriptions/change-state.ts';
import type { GiftRow } from './redeem-gift.ts';

/** A claimed gift was refunded: the days that are left of it end, and what else was paid for stays. */
export async function endGift(tx: Tx, deps: Deps, gift: GiftRow): Promise<void> {
  const { redeemed_by: userId, reference, provider } = gift;
  if (userId === null || reference === null) return;
  const context = toLedgerContext(deps);
  const { now, calendar } = context;
  await lockAccount(tx, userId);
  const ledger = await listLedgerEntries(tx, userId);
  const detail = JSON.stringify({ reference });
  const period = findPeriods(ledger, calendar).find(
    ({ entry }) => entry.kind === 'gift' && entry.detail === detail,
  );
  if (!period) return;
  const day = calendar.addDays(now, 1) - now;
  const days = Math.floor((period.to - Math.max(now, period.from)) / day);
  if (days <= 0) return;
  const because = `A gift was refunded: ${days} days that were left of it end.`;
  // Another detail, so that it isn't taken for the gift itself.
  const facts = { days: -days, provider, actor: 'system' };
  const entry = buildLedgerEntry('gift', now, because, facts);
  const { paidThrough } = await appendLedgerEntries(tx, { userId, ledger }, [entry], context);
  await moveNextPaymentBack(tx, userId, paidThrough, context);
  const message = { kind: 'gift-ended' as const, until: paidThrough ?? now };
  await enqueueMessages(tx, userId, [{ key: `gift-ended:${gift.id}`, message }], now);
}
