import { FULL_TAX_INVOICE_ABOVE } from '#contract/paying/invoices.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Db, DialectName, Tx } from '../../../db/connect.ts';
import { deleteIdleJobs } from '../../../jobs/queue.ts';
import { deleteUserSignals } from '../../live/service.ts';
import { anonymiseIssues, listIssuesOf } from '../../payment-issues/service.ts';
import {
  findBuyer,
  listNotesOf,
  presentInvoice,
  presentNote,
  selectInvoicesOf,
} from '../ledger/invoices.ts';
import { sendBillingMessage } from '../billing-mail/send-messages.ts';
import { listNoticesOf } from '../prices/next-price.ts';
import { recordUsedOffers } from './used-offers-of-deleted-accounts.ts';
import { listLedgerEntries, listPaymentsOf, listSubscriptionsOf } from '../queries.ts';
import { findMethod, presentCard, requestForgetting } from '../subscriptions/cards.ts';
import { findWithdrawal } from '../subscriptions/service.ts';

const listBoughtGifts = (db: Db, userId: string) =>
  db
    .selectFrom('gifts')
    .select([
      'reference',
      'months',
      'from_name as from',
      'words',
      'recipient_email as recipient',
      'send_on as day',
      'created_at as at',
    ])
    .where('buyer_id', '=', userId)
    .orderBy('created_at')
    .execute();

/** Everything about a user’s payments and access, without the provider’s own data. */
export async function* exportBilling(db: Db, userId: string) {
  for (const row of await listSubscriptionsOf(db, userId))
    yield {
      kind: 'subscription',
      provider: row.provider,
      plan: row.plan,
      nextPlan: row.next_plan,
      status: row.status,
      nextPaymentAt: row.status === 'ended' ? null : row.next_at,
      card: presentCard(await findMethod(db, row.method_id)),
      startedAt: row.started_at,
    };
  for (const row of await listPaymentsOf(db, userId))
    yield {
      kind: 'payment',
      reference: row.reference,
      purpose: row.kind,
      plan: row.plan,
      months: row.months,
      amount: row.amount,
      currency: row.currency,
      state: row.state,
      at: row.created_at,
    };
  for (const gift of await listBoughtGifts(db, userId)) yield { kind: 'bought-gift', ...gift };
  for (const row of await listLedgerEntries(db, userId))
    yield {
      kind: 'ledger-entry',
      entry: row.kind,
      at: row.at,
      recordedAt: row.recorded_at,
      plan: row.plan,
      amount: row.amount,
      currency: row.currency,
      reason: row.reason,
      detail: row.detail,
    };
  const buyer = await findBuyer(db, userId);
  if (buyer) yield { kind: 'details-on-invoices', ...buyer };
  const invoices = await selectInvoicesOf(db, userId).orderBy('number', 'desc').execute();
  const notes = await listNotesOf(db, invoices);
  for (const row of invoices)
    yield {
      kind: 'invoice',
      ...presentInvoice(row, []),
      buyer:
        row.buyer_name === null
          ? null
          : {
              name: row.buyer_name,
              email: row.buyer_email,
              address: row.buyer_address,
              vatNumber: row.buyer_vat_number,
            },
      description: row.description,
      vat: row.vat,
      creditNotes: notes
        .filter((note) => note.invoice_id === row.id)
        .map((note) => ({ ...presentNote(note), amount: note.amount, vat: note.vat })),
    };
  for (const row of await listNoticesOf(db, userId))
    yield {
      kind: 'price-change',
      plan: row.plan,
      oldAmount: row.old_amount,
      amount: row.amount,
      toldAt: row.told_at,
      appliesFrom: row.applies_from,
    };
  const withdrawal = await findWithdrawal(db, userId);
  if (withdrawal)
    yield {
      kind: 'withdrawal',
      amount: withdrawal.amount,
      currency: CURRENCY,
      requestedAt: withdrawal.requested_at,
      doneAt: withdrawal.done_at,
    };
  for (const row of await listIssuesOf(db, userId))
    yield {
      kind: 'payment-issue',
      issue: row.kind,
      openedAt: row.opened_at,
      closedAt: row.closed_at,
      amount: row.amount,
      currency: row.currency,
      reason: row.reason,
    };
}

/**
 * Ends what would still charge, and anonymises what the law requires us to keep: invoices keep
 * their numbers and amounts, but no longer say whose they were. The caller has locked the account.
 */
export async function anonymiseBilling(tx: Tx, _dialect: DialectName, userId: string, now: number) {
  await tx
    .updateTable('subscriptions')
    .set({ status: 'ended', ended_at: now, cancelled_at: now, updated_at: now })
    .where('user_id', '=', userId)
    .where('status', '<>', 'ended')
    .execute();
  // What the provider still charges itself is ended there.
  await tx
    .updateTable('coming_subscriptions')
    .set({ state: 'ending', updated_at: now })
    .where('user_id', '=', userId)
    .where('state', '=', 'shadow')
    .execute();
  const methods = await tx
    .updateTable('payment_methods')
    .set({ state: 'forgotten', brand: '', last4: '', expiry_month: 0, expiry_year: 0 })
    .where('user_id', '=', userId)
    .returning('id')
    .execute();
  for (const { id } of methods) await requestForgetting(tx, id, now, 0);
  await recordUsedOffers(tx, userId, now);
  // A page that they left open holds no coupon for them.
  await tx.updateTable('payments').set({ user_id: null }).where('user_id', '=', userId).execute();
  // What they paid for is still given; what is on its way goes back.
  await tx
    .updateTable('gifts')
    .set({ buyer_id: null, buyer_email: null })
    .where('buyer_id', '=', userId)
    .execute();
  const jobs = [sendBillingMessage];
  await deleteIdleJobs(tx, jobs, (payload) => payload.includes(`"${userId}"`));
  await deleteUserSignals(tx, userId);
  await anonymiseIssues(tx, userId);
  await tx
    .updateTable('invoices')
    .set({ card: null, buyer_email: null })
    .where('user_id', '=', userId)
    .execute();
  // A full tax invoice must keep saying whose it is.
  await tx
    .updateTable('invoices')
    .set({ buyer_name: null, buyer_address: null, buyer_vat_number: null })
    .where('user_id', '=', userId)
    .where((where) =>
      where.or([where('amount', '<=', FULL_TAX_INVOICE_ABOVE), where('vat_rate', 'is', null)]),
    )
    .execute();
  // What a deleted administrator did for others no longer names them.
  const former = 'a former administrator';
  await tx
    .updateTable('ledger_entries')
    .set({ actor: former })
    .where('actor', '=', userId)
    .execute();
  for (const table of ['coupons', 'gifts', 'price_changes'] as const)
    await tx
      .updateTable(table)
      .set({ created_by: former })
      .where('created_by', '=', userId)
      .execute();
}
