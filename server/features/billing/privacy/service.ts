import { FULL_TAX_INVOICE_ABOVE } from '#contract/billing.ts';
import type { Db, DialectName, Tx } from '../../../db/connect.ts';
import { deleteIdleJobs } from '../../../jobs/queue.ts';
import { deleteUserSignals } from '../../live/service.ts';
import { anonymiseIssues, listIssuesOf } from '../../payment-issues/service.ts';
import { releaseAllUses } from '../coupons/coupon-uses.ts';
import { findBuyer } from '../invoices/buyers.ts';
import {
  formatInvoiceNumber,
  formatNoteNumber,
  listNotesOf,
  selectInvoicesOf,
} from '../invoices/service.ts';
import { changeMemberPriceJob } from '../prices/change-member-price.ts';
import { sendBillingMessage } from '../messages/send-messages.ts';
import { reconcileSubscriptionJob } from '../reconcile/reconcile-subscription.ts';
import { listNoticesOf } from '../prices/queries.ts';
import { requestCancellation } from './departed-members.ts';
import { recordUsedOffers } from './used-offers-of-deleted-accounts.ts';
import { listProviderSubscriptionsOf, listCheckoutsOf, listLedgerEntries } from '../queries.ts';
import { continueMonthlyJob } from '../subscription/announce-ends.ts';
import { findWithdrawal, parseCard } from '../subscription/service.ts';

/** Everything about a user’s payments and access, without the provider’s own data. */
export async function* exportBilling(db: Db, userId: string) {
  for (const row of await listProviderSubscriptionsOf(db, userId))
    yield {
      kind: 'subscription',
      provider: row.provider,
      plan: row.plan,
      nextPlan: row.next_plan,
      status: row.status,
      nextPaymentAt: row.next_charge_at,
      card: parseCard(row.card),
      startedAt: row.started_at,
    };
  for (const row of await listCheckoutsOf(db, userId))
    yield {
      kind: 'checkout',
      reference: row.reference,
      plan: row.plan,
      amount: row.amount,
      currency: row.currency,
      state: row.state,
      at: row.created_at,
    };
  for (const row of await listLedgerEntries(db, userId))
    yield {
      kind: 'ledger-entry',
      entry: row.kind,
      at: row.at,
      recordedAt: row.recorded_at,
      plan: row.plan,
      amount: row.amount,
      currency: row.currency,
      because: row.because,
      detail: row.detail,
    };
  const buyer = await findBuyer(db, userId);
  if (buyer) yield { kind: 'details-on-invoices', ...buyer };
  const invoices = await selectInvoicesOf(db, userId).orderBy('number', 'desc').execute();
  const notes = await listNotesOf(db, invoices);
  for (const row of invoices)
    yield {
      kind: 'invoice',
      number: formatInvoiceNumber(row.number),
      at: row.at,
      issuedAt: row.issued_at,
      plan: row.plan,
      from: row.from_at,
      to: row.to_at,
      amount: row.amount,
      refunded: row.refunded,
      currency: row.currency,
      status: row.status,
      card: parseCard(row.card),
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
        .map((note) => ({
          number: formatNoteNumber(note),
          at: new Date(note.at).toISOString(),
          amount: note.amount,
          vat: note.vat,
          reason: note.reason,
        })),
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
      currency: withdrawal.currency,
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
      because: row.because,
    };
}

/** Waiting webhook events may contain personal data; cancelling the subscription deals with them. */
async function emptyWebhookBodies(tx: Tx, userId: string) {
  await tx.updateTable('webhook_events').set({ body: '' }).where('user_id', '=', userId).execute();
}

/**
 * Cancels what would still charge, and anonymises what the law requires us to keep: invoices keep
 * their numbers and amounts, but no longer say whose they were.
 */
export async function anonymiseBilling(tx: Tx, _dialect: DialectName, userId: string, now: number) {
  for (const {
    provider,
    provider_subscription_id: providerSubscriptionId,
    status,
  } of await listProviderSubscriptionsOf(tx, userId))
    if (status !== 'ended')
      await requestCancellation(tx, { provider, providerSubscriptionId }, now);
  await recordUsedOffers(tx, userId, now);
  await releaseAllUses(tx, userId);
  const jobs = [
    sendBillingMessage,
    continueMonthlyJob,
    reconcileSubscriptionJob,
    changeMemberPriceJob,
  ];
  await deleteIdleJobs(tx, jobs, (payload) => payload.includes(`"${userId}"`));
  await emptyWebhookBodies(tx, userId);
  await deleteUserSignals(tx, userId);
  await anonymiseIssues(tx, userId);
  await tx
    .updateTable('provider_subscriptions')
    .set({ card: null })
    .where('user_id', '=', userId)
    .execute();
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
  await tx
    .updateTable('coupons')
    .set({ created_by: former })
    .where('created_by', '=', userId)
    .execute();
  await tx
    .updateTable('gifts')
    .set({ created_by: former })
    .where('created_by', '=', userId)
    .execute();
  await tx
    .updateTable('price_changes')
    .set({ created_by: former })
    .where('created_by', '=', userId)
    .execute();
}
