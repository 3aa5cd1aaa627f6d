import { DAY } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { failedPayment, REFERENCE_PREFIX } from '../../../ports/payments/payments.ts';
import {
  closeIssue,
  isClosedByHand,
  nameProvider,
  openIssue,
  unknownChargeKey,
  unsettledKey,
} from '../../payment-issues/service.ts';
import { updatePayment } from '../checkout/open-page.ts';
import { PAGE_MS } from '../checkout/settle-payment.ts';
import { findPayment, lockAccount, type PaymentRow } from '../queries.ts';
import { declineRenewal } from './late.ts';

/** A payment that only the provider’s own pages can explain. */
export const openUnknownIssue = (
  tx: Tx,
  { provider, reference, reason }: Pick<PaymentRow, 'provider' | 'reference'> & { reason: string },
  now: number,
) =>
  openIssue(
    tx,
    {
      key: unknownChargeKey(provider, reference),
      kind: 'unknown-charge',
      provider,
      reference,
      reason,
    },
    now,
  );

/** An issue names no more references. */
const MAX_NAMED = 20;

function describePages(provider: string, references: readonly string[]): string {
  const more = references.length - MAX_NAMED;
  const rest = more > 0 ? `, and ${more} more that begin with “${REFERENCE_PREFIX}”` : '';
  const pages = references.length === 1 ? 'A payment page was' : 'Payment pages were';
  return `${pages} still open when the site changed its payment provider, and may have been paid there. Look at ${nameProvider(provider)} for ${references.slice(0, MAX_NAMED).join(', ')}${rest}; if money arrived, refund it there.`;
}

/** All pages of a provider at once, when the newest is over: one issue, however many there were. */
async function closePages(tx: Tx, { payments, clock }: Deps): Promise<void> {
  const now = clock.now();
  const providers = await tx
    .selectFrom('payments')
    .select('provider')
    .where('provider', '<>', payments.name)
    .where('state', '=', 'open')
    .groupBy('provider')
    .having((having) => having.fn.max('created_at'), '<=', now - PAGE_MS)
    .execute();
  for (const { provider } of providers) {
    const closed = await tx
      .updateTable('payments')
      .set({ state: 'expired', check_at: null, updated_at: now })
      .where('provider', '=', provider)
      .where('state', '=', 'open')
      .returning('reference')
      .execute();
    const references = closed.map(({ reference }) => reference).toSorted();
    const [reference] = references;
    if (reference === undefined) continue;
    const reason = describePages(provider, references);
    await openUnknownIssue(tx, { provider, reference, reason }, now);
  }
}

/**
 * Whoever closed its issue has looked it up: no money is left there. So what was asked for is owed again,
 * and nothing else can have been charged for it, because it was waited for until now.
 */
async function followPayment(tx: Tx, deps: Deps, reference: string): Promise<void> {
  const now = deps.clock.now();
  const row = await findPayment(tx, reference);
  if (row?.state !== 'asked' && row?.state !== 'pending') return;
  const key = unknownChargeKey(row.provider, reference);
  if (await isClosedByHand(tx, key, row.asked_at ?? row.created_at)) {
    if (row.state === 'pending')
      return updatePayment(tx, row, { state: 'expired', check_at: null }, now);
    const message = 'It didn’t arrive before we changed the company that takes our payments.';
    return declineRenewal(tx, deps, row, failedPayment(row, { message, isHard: false }));
  }
  const lookUp = `A payment (${reference}) was on its way when the site changed its payment provider. Look it up at ${nameProvider(row.provider)}; if the money arrived, refund it there. Then close this`;
  const reason =
    row.subscription_id === null
      ? `${lookUp}. Until then its payer reads that it is on its way.`
      : `${lookUp}, and the member is asked for the payment here. Until then nothing is charged.`;
  await openUnknownIssue(tx, { ...row, reason }, now);
  await closeIssue(tx, unsettledKey(reference), 'It is an unexplained payment now.', now);
}

/**
 * Nobody reads the payments of a provider that was in use before. Its pages close like any other, and
 * whatever may have moved money is an issue. What we asked for, or a bank has announced, may have been
 * paid: it stays so until somebody has looked it up.
 */
export async function closeForeignPages(deps: Deps): Promise<void> {
  const { database, payments, clock } = deps;
  const { db } = database;
  await db.transaction().execute((tx) => closePages(tx, deps));
  const rows = await db
    .selectFrom('payments')
    .select(['reference', 'user_id'])
    .where('provider', '<>', payments.name)
    .where('state', 'in', ['asked', 'pending'])
    .where('created_at', '<=', clock.now() - PAGE_MS)
    .orderBy('reference')
    .execute();
  for (const { reference, user_id } of rows)
    await db.transaction().execute(async (tx) => {
      if (user_id !== null) await lockAccount(tx, user_id);
      await followPayment(tx, deps, reference);
    });
}

/** A site that was started with the wrong provider has this long until members hear of another one. */
const MISTAKE_MS = DAY;

const unusedCounter = (provider: string): string => `payments-unused-since:${provider}`;

/** Of these providers, those to act on: ours, and those that were not ours for a while. */
export async function chooseProviders(
  tx: Tx,
  { payments, clock }: Deps,
  providers: readonly string[],
): Promise<string[]> {
  const now = clock.now();
  await tx.deleteFrom('counters').where('name', '=', unusedCounter(payments.name)).execute();
  const chosen: string[] = [payments.name];
  for (const provider of providers) {
    if (provider === payments.name) continue;
    const name = unusedCounter(provider);
    await tx
      .insertInto('counters')
      .values({ name, value: now })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const { value } = await tx
      .selectFrom('counters')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    if (value <= now - MISTAKE_MS) chosen.push(provider);
  }
  return chosen;
}
