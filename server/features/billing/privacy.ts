import type { Db, DialectName, Tx } from '../../db/connect.ts';
import { forgetSignals } from '../live/service.ts';
import { giveBackAll } from './coupon-uses.ts';
import { writeInvoiceNumber } from './invoices.ts';
import { sendBillingMessage, settleMember } from './jobs.ts';
import { requestEnd } from './leavers.ts';
import { keepBenefits } from './left-benefits.ts';
import { listAgreementsOf, listCheckoutsOf, listInvoices, listLedger } from './queries.ts';
import { readCard } from './terms.ts';

const MOST_INVOICES = 10_000;

/** Everything that was paid, given, agreed to and told, without what belongs to the provider. */
export async function* exportBilling(db: Db, userId: string) {
  for (const row of await listAgreementsOf(db, userId))
    yield {
      kind: 'agreement',
      provider: row.provider,
      plan: row.plan,
      nextPlan: row.next_plan,
      status: row.status,
      nextPaymentAt: row.next_charge_at,
      card: readCard(row.card),
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
  for (const row of await listLedger(db, userId))
    yield {
      kind: 'event',
      what: row.kind,
      at: row.at,
      recordedAt: row.recorded_at,
      plan: row.plan,
      amount: row.amount,
      currency: row.currency,
      because: row.because,
      detail: row.detail,
    };
  for (const row of await listInvoices(db, userId, { below: null, limit: MOST_INVOICES }))
    yield {
      kind: 'invoice',
      number: writeInvoiceNumber(row.number),
      at: row.at,
      plan: row.plan,
      from: row.from_at,
      to: row.to_at,
      amount: row.amount,
      refunded: row.refunded,
      currency: row.currency,
      status: row.status,
      card: readCard(row.card),
    };
}

const ownJobs: string[] = [sendBillingMessage.name, settleMember.name];

async function deleteJobsOf(tx: Tx, userId: string) {
  const jobs = await tx
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('name', 'in', ownJobs)
    .where('state', '<>', 'running')
    .execute();
  const ids = jobs.filter(({ payload }) => payload.includes(`"${userId}"`)).map(({ id }) => id);
  if (ids.length > 0)
    await tx.deleteFrom('jobs').where('id', 'in', ids).where('state', '<>', 'running').execute();
}

/** Webhooks that wait may name the person; what they ask for is settled by ending the agreement. */
async function emptyNotices(tx: Tx, userId: string) {
  await tx.updateTable('payment_notices').set({ body: '' }).where('user_id', '=', userId).execute();
}

/**
 * Ends what would be charged, and takes the person out of what the law wants kept: invoices stay
 * with their numbers and amounts, and no longer say whose they were.
 */
export async function forgetBilling(tx: Tx, _dialect: DialectName, userId: string, now: number) {
  for (const { provider, agreement_id: agreementId, status } of await listAgreementsOf(tx, userId))
    if (status !== 'ended') await requestEnd(tx, { provider, agreementId }, now);
  await keepBenefits(tx, userId, now);
  await giveBackAll(tx, userId);
  await deleteJobsOf(tx, userId);
  await emptyNotices(tx, userId);
  await forgetSignals(tx, userId);
  await tx.updateTable('agreements').set({ card: null }).where('user_id', '=', userId).execute();
  await tx.updateTable('invoices').set({ card: null }).where('user_id', '=', userId).execute();
  // An administrator who leaves is not named by what they did for others.
  const former = 'a former administrator';
  await tx.updateTable('ledger').set({ actor: former }).where('actor', '=', userId).execute();
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
}
