import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { findNextPrice, listNoticesOf } from '../prices/next-price.ts';
import { findChargeTime } from './schedule.ts';

/** A dry run: whom we would charge in the next days, when and how much. Changes nothing. */
export async function listRenewals(deps: Deps, days: number): Promise<string> {
  const { database, payments, clock, config } = deps;
  const { db } = database;
  const now = clock.now();
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.user_id')
    .selectAll('subscriptions')
    .select('users.username')
    .where('subscriptions.provider', '=', payments.name)
    .where('subscriptions.status', 'in', ['trial', 'active', 'late'])
    .where('subscriptions.next_at', '<=', now + days * DAY)
    .execute();
  const renewals = [];
  for (const row of rows) {
    const at = findChargeTime(row);
    if (at === null || at > now + days * DAY) continue;
    const notices = await listNoticesOf(db, row.user_id ?? '');
    const { amount } = findNextPrice(row, notices, payments.calendar);
    const { username, next_plan, plan } = row;
    renewals.push({ at: Math.max(at, now), amount, plan: next_plan ?? plan, username });
  }
  const { areRenewalsOn, chargesPerHour } = await readSettings(db, now);
  const sum = formatMoney(
    renewals.reduce((total, { amount }) => total + amount, 0),
    CURRENCY,
  );
  const brake = areRenewalsOn ? `at most ${chargesPerHour} an hour` : 'but renewals are off';
  const lines = renewals
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, amount, plan, username }) => {
      const day = formatDate(at, config.timeZone);
      return `${day}  ${formatMoney(amount, CURRENCY)}  ${plan}  ${username}`;
    });
  return [...lines, `Charges: ${lines.length}, ${sum} in all, ${brake}.`].join('\n');
}
