import { lockAccount } from '../queries.ts';
import { z } from 'zod';
import { dayOf } from '#contract/rules/days.ts';
import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import type { ComingSubscriptionsTable } from '../../../db/types/billing-tables.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import type {
  ProviderCharge,
  ProviderSubscription,
  ProviderSubscriptions,
} from '../../../ports/payments/provider-subscriptions.ts';
import { closeIssue, openIssue } from '../../payment-issues/service.ts';
import { appendEntry, buildLedgerEntry, toLedgerContext } from '../ledger/ledger-entries.ts';
import { findDueDate } from '../subscriptions/schedule.ts';

export type ComingRow = ComingSubscriptionsTable;

/** A provider may be this late with a payment before it counts as missing. */
const LATE_MS = 2 * DAY;

export const listComing = (db: Db, provider: string): Promise<ComingRow[]> =>
  db
    .selectFrom('coming_subscriptions')
    .selectAll()
    .where('provider', '=', provider)
    .where('state', '<>', 'done')
    .orderBy('provider_subscription_id')
    .execute();

/** Reads it again, and nobody else changes it or the member's account until the transaction ends. */
export async function lockComing(tx: Tx, row: ComingRow): Promise<ComingRow | undefined> {
  if (row.user_id !== null) await lockAccount(tx, row.user_id);
  return tx
    .selectFrom('coming_subscriptions')
    .selectAll()
    .where('provider', '=', row.provider)
    .where('provider_subscription_id', '=', row.provider_subscription_id)
    .executeTakeFirst();
}

export async function updateComing(
  tx: Tx,
  row: ComingRow,
  values: Partial<ComingRow>,
  now: number,
): Promise<ComingRow> {
  const changed = { ...row, ...values, updated_at: now };
  await tx
    .updateTable('coming_subscriptions')
    .set(changed)
    .where('provider', '=', row.provider)
    .where('provider_subscription_id', '=', row.provider_subscription_id)
    .execute();
  return changed;
}

/** When we would charge next. */
export const dueOf = ({ first_at: firstAt, periods, plan }: ComingRow, calendar: Calendar) =>
  findDueDate({ firstAt, plan }, periods, calendar);

export const listDifferences = ({ differences }: ComingRow): string[] =>
  z.array(z.string()).parse(JSON.parse(differences));

const differsKey = ({ provider, provider_subscription_id: id }: ComingRow): string =>
  `shadow-differs:${provider}:${id}`;

/** It has ended there, whether or not ours continues it. */
export async function finishComing(tx: Tx, row: ComingRow, periods: number, now: number) {
  await closeIssue(tx, differsKey(row), 'It has ended at the provider.', now);
  return updateComing(tx, row, { state: 'done', periods }, now);
}

/** Time that the member paid for at the provider. It never shortens what they have. */
export async function creditTime(
  tx: Tx,
  deps: Deps,
  { user_id: userId, provider, plan }: ComingRow,
  { until, subscription_id = null }: { until: number; subscription_id?: string | null },
): Promise<void> {
  if (userId === null) return;
  const context = toLedgerContext(deps);
  const facts = { until, provider, plan, subscription_id };
  const entry = buildLedgerEntry('grant', context.now, `Paid at ${provider}.`, facts);
  await appendEntry(tx, userId, entry, context);
}

/** What we would have charged, and what the provider did; null if both are the same. */
function findDifference(
  amount: number,
  dueAt: number,
  charge: ProviderCharge | null,
  timeZone: string,
): string | null {
  const show = (cents: number, currency: string, at: number) =>
    `${formatMoney(cents, currency, 'auto')} on ${formatDate(at, timeZone)}`;
  const ours = `we would have charged ${show(amount, CURRENCY, dueAt)}.`;
  if (charge === null) return `Nothing was charged; ${ours}`;
  const isSame =
    charge.amount === amount &&
    charge.currency === CURRENCY &&
    dayOf(charge.at, timeZone) === dayOf(dueAt, timeZone);
  const { currency, at } = charge;
  return isSame ? null : `The provider charged ${show(charge.amount, currency, at)}; ${ours}`;
}

/** After a difference the shadow follows the provider, and its month begins again. */
async function compareOne(
  tx: Tx,
  deps: Deps,
  row: ComingRow,
  charge: ProviderCharge | null,
  { nextAt }: ProviderSubscription,
): Promise<ComingRow> {
  const { now, calendar, timeZone } = toLedgerContext(deps);
  const dueAt = dueOf(row, calendar);
  const difference = findDifference(row.amount, dueAt, charge, timeZone);
  const follows = difference !== null && nextAt !== null && (charge !== null || nextAt > dueAt);
  const next = await updateComing(
    tx,
    row,
    {
      ...(follows ? { first_at: nextAt, periods: 0 } : { periods: row.periods + 1 }),
      ...(charge && { watched_since: charge.at + 1 }),
      ...(difference === null
        ? { equal_renewals: row.equal_renewals + 1 }
        : {
            clean_since: now,
            amount: charge?.currency === CURRENCY ? charge.amount : row.amount,
            differences: JSON.stringify([...listDifferences(row), difference]),
          }),
    },
    now,
  );
  if (difference !== null) {
    const { provider, provider_subscription_id: reference, user_id: userId } = row;
    const issue = { key: differsKey(row), kind: 'shadow-differs' as const, reason: difference };
    await openIssue(tx, { ...issue, provider, reference, userId }, now);
  }
  if (charge) await creditTime(tx, deps, next, { until: dueOf(next, calendar) });
  return next;
}

/** Compares what the provider charged with what we would have, in shadow. Nothing is charged or ended. */
export async function compareRenewals(
  deps: Deps,
  provider: ProviderSubscriptions,
  row: ComingRow,
): Promise<void> {
  const theirs = await provider.read(row.provider_subscription_id);
  const charges = await provider.listCharges(theirs, row.watched_since);
  await deps.database.db.transaction().execute(async (tx) => {
    const { now, calendar } = toLedgerContext(deps);
    let current = await lockComing(tx, row);
    if (current?.state !== 'shadow') return;
    for (const charge of charges)
      if (charge.at >= current.watched_since)
        current = await compareOne(tx, deps, current, charge, theirs);
    const isEnded = theirs.state === 'ended';
    while (!isEnded && dueOf(current, calendar) + LATE_MS <= now)
      current = await compareOne(tx, deps, current, null, theirs);
    if (isEnded) await finishComing(tx, current, current.periods, now);
  });
}
