import { PAYOUT_PAYMENTS_SHOWN, type PayoutPayment, type Payouts } from '#contract/admin/books.ts';
import { startOfDay } from '#contract/rules/days.ts';
import { addDays, type DayRange } from '#contract/rules/report-days.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { formatInvoiceNumber, formatNoteNumber, listPayouts } from '../billing/ledger/service.ts';
import type { Payout } from '../../ports/payments/payments.ts';
import { matchPayouts, type Match } from './match-payouts.ts';

/** Earlier payouts say which payments are spoken for already. */
const BEFORE_MS = 40 * DAY;

type TimeSpan = { from: number; to: number };

const listSales = (db: Db, provider: string, { from, to }: TimeSpan) =>
  db
    .selectFrom('invoices')
    .select(['id', 'number', 'at', 'amount', 'fee'])
    .where('provider', '=', provider)
    .where('at', '>=', from)
    .where('at', '<', to)
    .execute();

const listRefunds = (db: Db, provider: string, { from, to }: TimeSpan) =>
  db
    .selectFrom('credit_notes')
    .innerJoin('invoices', 'invoices.id', 'credit_notes.invoice_id')
    .select(['credit_notes.id', 'credit_notes.kind', 'credit_notes.number'])
    .select(['credit_notes.at', 'credit_notes.amount'])
    .where('invoices.provider', '=', provider)
    .where('credit_notes.at', '>=', from)
    .where('credit_notes.at', '<', to)
    .execute();

const listOthers = (db: Db, provider: string, { from, to }: TimeSpan) =>
  db
    .selectFrom('refused_payments')
    .select(['id', 'kind', 'at', 'amount', 'fee'])
    .where('provider', '=', provider)
    .where('at', '>=', from)
    .where('at', '<', to)
    .execute();

/** Everything that the provider took or gave back, in order of time. */
async function listMoney(db: Db, provider: string, span: TimeSpan): Promise<PayoutPayment[]> {
  const sales = await listSales(db, provider, span);
  const refunds = await listRefunds(db, provider, span);
  const others = await listOthers(db, provider, span);
  const rows: (PayoutPayment & { id: string })[] = [
    ...sales.map(({ number, ...row }) => ({
      ...row,
      kind: 'sale' as const,
      number: formatInvoiceNumber(number),
    })),
    ...refunds.map((row) => ({
      id: row.id,
      at: row.at,
      kind: 'refund' as const,
      number: formatNoteNumber(row),
      amount: -row.amount,
      fee: null,
    })),
    ...others.map(({ kind, ...row }) => ({
      ...row,
      kind: kind === 'card-check' ? ('card-check' as const) : ('not-invoiced' as const),
      number: '',
    })),
  ];
  return rows
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .map(({ kind, number, at, amount, fee }) => ({ kind, number, at, amount, fee }));
}

/** The payouts of a period, oldest first, each with the payments that it seems to consist of. */
export async function readMatchedPayouts(
  deps: Deps,
  period: DayRange,
): Promise<(Payout & Match)[]> {
  const { database, payments, config } = deps;
  const from = startOfDay(period.from, config.timeZone);
  const to = startOfDay(addDays(period.to, 1), config.timeZone);
  const span = { from: from - BEFORE_MS, to };
  const payouts = await listPayouts(deps, span);
  const money = payouts.length === 0 ? [] : await listMoney(database.db, payments.name, span);
  const matches = matchPayouts(payouts, money);
  return payouts.flatMap((payout, index) => {
    const match = matches[index];
    return match && payout.at >= from ? [{ ...payout, ...match }] : [];
  });
}

export async function readPayouts(deps: Deps, period: DayRange): Promise<Payouts> {
  const payouts = await readMatchedPayouts(deps, period);
  return {
    provider: deps.payments.name,
    payouts: payouts.map(({ id, at, amount, fees, currency, payments, difference }) => ({
      id,
      at,
      amount,
      fees,
      currency,
      payments: payments.slice(0, PAYOUT_PAYMENTS_SHOWN),
      count: payments.length,
      difference,
    })),
  };
}
