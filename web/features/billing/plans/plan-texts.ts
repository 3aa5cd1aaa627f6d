import type { Plans } from '#contract/billing.ts';
import { formatMoney } from '#contract/rules/format.ts';
import type { Plan } from '#contract/rules/plans.ts';

export const planNames: Record<Plan, string> = { monthly: 'Monthly', annual: 'Annual' };
export const planPeriods: Record<Plan, string> = { monthly: 'month', annual: 'year' };

/** `Monthly`, or `3 months` for a payment that doesn’t renew. */
export const namePurchase = ({ plan, months }: { plan: Plan | null; months: number | null }) =>
  plan ? planNames[plan] : months === 1 ? '1 month' : `${months} months`;

/** `R79 a month` */
export const formatPlanPrice = (plan: Plan, plans: Plans): string =>
  `${formatMoney(plans[plan].amount, plans.currency)} a ${planPeriods[plan]}`;

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'];

/** The line below a plan's price. */
export function describePrice(plan: Plan, prices: Plans): string {
  if (plan === 'monthly') return 'Per month. Cancel any time.';
  return `Per year. ${describeSaving(prices) ?? 'Cancel any time.'}`;
}

/** What the annual plan saves; null if nothing. */
export function describeSaving({ monthly, annual, currency }: Plans): string | null {
  const saving = 12 * monthly.amount - annual.amount;
  if (saving <= 0) return null;
  const months = saving / monthly.amount;
  if (!Number.isInteger(months))
    return `Save ${formatMoney(saving, currency)} compared with monthly.`;
  const count = `${COUNTS[months] ?? months} ${months === 1 ? 'month' : 'months'}`;
  return `${count} free compared with monthly.`;
}
