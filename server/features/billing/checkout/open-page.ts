import { randomBytes } from 'node:crypto';
import { CURRENCY } from '#contract/rules/plans.ts';
import { buildPayment } from '../../../db/build-rows.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../http/guards.ts';
import { isRefusal, PaymentsError, REFERENCE_PREFIX } from '../../../ports/payments/payments.ts';
import { closeIssue, openIssue } from '../../payment-issues/service.ts';
import { lockAccount } from '../account-lock.ts';
import type { PaymentRow } from '../queries.ts';
import { releaseCoupon } from './coupon-uses.ts';
import { updatePayment } from './update-payment.ts';

/** Unguessable, and only characters that every provider accepts. */
export const newReference = (): string => `${REFERENCE_PREFIX}${randomBytes(18).toString('hex')}`;

type NewPage = Pick<PaymentRow, 'user_id' | 'kind' | 'amount'> & Partial<PaymentRow>;

/** Written before the provider hears of it. */
export async function insertPage(
  tx: Tx,
  { payments, clock }: Deps,
  page: NewPage,
): Promise<PaymentRow> {
  const row = buildPayment({
    reference: newReference(),
    currency: CURRENCY,
    provider: payments.name,
    state: 'open',
    created_at: clock.now(),
    ...page,
  });
  await tx.insertInto('payments').values(row).execute();
  return row;
}

/** A page that the provider refuses to open is not offered again. */
async function failPage({ database, clock }: Deps, row: PaymentRow) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    if (row.user_id !== null) await lockAccount(tx, row.user_id);
    await updatePayment(tx, row, { state: 'failed', check_at: null }, now);
    await releaseCoupon(tx, row);
  });
}

const refusedKey = (provider: string): string => `checkout-refused:${provider}`;

/** Not even a new page works: administrators have to know. */
async function reportRefusal(
  { database, clock, payments: { name: provider } }: Deps,
  { kind, amount, currency }: PaymentRow,
  error: PaymentsError,
) {
  const because = `The payment provider refused a payment page (${kind}): ${error.message}`;
  const issue = { key: refusedKey(provider), kind: 'checkout-refused' as const };
  await database.db
    .transaction()
    .execute((tx) => openIssue(tx, { ...issue, provider, amount, currency, because }, clock.now()));
}

/** A page works again. */
async function closeRefusal({ database, clock, payments }: Deps) {
  const key = refusedKey(payments.name);
  const open = await database.db
    .selectFrom('payment_issues')
    .select('id')
    .where('key', '=', key)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (!open) return;
  await database.db
    .transaction()
    .execute((tx) => closeIssue(tx, key, 'A payment page worked again.', clock.now()));
}

export type PageTexts = {
  description: string;
  /** Paths to which the provider sends the member, paid or not. */
  successPath: string;
  cancelPath: string;
};

/** The address of the payment page. */
export async function openPage(
  deps: Deps,
  viewer: { user: Pick<Viewer['user'], 'email'> },
  row: PaymentRow,
  { description, successPath, cancelPath }: PageTexts,
): Promise<{ url: string }> {
  const { database, payments, site } = deps;
  try {
    const { url, providerId } = await payments.startPayment({
      reference: row.reference,
      providerId: row.provider_id,
      email: viewer.user.email,
      amount: row.amount,
      currency: row.currency,
      description,
      savesCard: row.kind !== 'once' && row.kind !== 'gift',
      successUrl: `${site.origin}${successPath}`,
      cancelUrl: `${site.origin}${cancelPath}`,
    });
    await database.db
      .updateTable('payments')
      .set({ provider_id: providerId })
      .where('reference', '=', row.reference)
      .execute();
    await closeRefusal(deps);
    return { url };
  } catch (error) {
    // One that was opened before may still be paid, so it stays open until it is decided.
    if (error instanceof PaymentsError && isRefusal(error) && row.provider_id === null) {
      await failPage(deps, row);
      await reportRefusal(deps, row, error);
    }
    throw error;
  }
}
