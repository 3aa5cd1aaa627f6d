import { randomBytes } from 'node:crypto';
import { CURRENCY } from '#contract/rules/plans.ts';
import { MINUTE } from '#contract/rules/time.ts';
import { buildPayment } from '../../../db/build-rows.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import {
  isRefusal,
  REFERENCE_PREFIX,
  type PaymentsError,
} from '../../../ports/payments/payments.ts';
import { closeIssue, openIssue } from '../../payment-issues/service.ts';
import { askProvider } from '../ask-provider.ts';
import { listPaymentsOf, lockAccount, type PaymentRow } from '../queries.ts';

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

export const updatePayment = async (
  tx: Tx,
  { reference }: Pick<PaymentRow, 'reference'>,
  values: Partial<PaymentRow>,
  now: number,
): Promise<void> => {
  await tx
    .updateTable('payments')
    .set({ ...values, updated_at: now })
    .where('reference', '=', reference)
    .execute();
};

/** A user who starts the same again within this time gets the page that is already open. */
const REUSED_MS = 30 * MINUTE;

export const isReusable = ({ payments, clock }: Deps, row: PaymentRow): boolean =>
  row.state === 'open' &&
  row.provider === payments.name &&
  row.created_at > clock.now() - REUSED_MS;

/** Two open tabs share one page, so that it is paid only once. */
export async function findOpenPage(
  tx: Tx,
  deps: Deps,
  page: NewPage & { user_id: string },
): Promise<PaymentRow | undefined> {
  const isSame = (row: PaymentRow) =>
    Object.entries(page).every(([name, value]) => row[name as keyof NewPage] === value);
  const rows = await listPaymentsOf(tx, page.user_id);
  return rows.find((row) => isReusable(deps, row) && isSame(row));
}

/** A page that the provider refuses to open is not offered again. */
async function failPage({ database, clock }: Deps, row: PaymentRow) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    if (row.user_id !== null) await lockAccount(tx, row.user_id);
    await updatePayment(tx, row, { state: 'failed', check_at: null }, now);
  });
}

const refusedKey = (provider: string): string => `checkout-refused:${provider}`;

/** Not the card but the request is refused: administrators have to know. */
export async function reportRefusal(
  { database, clock, payments: { name: provider } }: Deps,
  { kind, amount, currency }: PaymentRow,
  error: PaymentsError,
) {
  const reason = `The payment provider refused a payment (${kind}): ${error.message}`;
  const issue = { key: refusedKey(provider), kind: 'checkout-refused' as const };
  await database.db
    .transaction()
    .execute((tx) => openIssue(tx, { ...issue, provider, amount, currency, reason }, clock.now()));
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

type PageTexts = {
  description: string;
  /** Paths to which the provider sends the member, paid or not. */
  successPath: string;
  cancelPath: string;
};

/** The address of the payment page. */
async function askForPage(
  deps: Deps,
  email: string,
  row: PaymentRow,
  { description, successPath, cancelPath }: PageTexts,
): Promise<{ url: string }> {
  const { database, payments, site } = deps;
  try {
    const { url, providerId } = await payments.startPayment({
      reference: row.reference,
      providerId: row.provider_id,
      email,
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
    if (isRefusal(error) && row.provider_id === null) {
      await failPage(deps, row);
      await reportRefusal(deps, row, error);
    }
    throw error;
  }
}

/** Opens the page that `write` finds or writes. One whose address was lost is replaced by a new one. */
export const openPage = (
  deps: Deps,
  email: string,
  write: (isNew: boolean) => Promise<PaymentRow>,
  describe: (row: PaymentRow) => PageTexts,
): Promise<{ url: string; reference: string }> =>
  askProvider(deps, async () => {
    const open = async (row: PaymentRow) => ({
      ...(await askForPage(deps, email, row, describe(row))),
      reference: row.reference,
    });
    try {
      return await open(await write(false));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return open(await write(true));
    }
  });
