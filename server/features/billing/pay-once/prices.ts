import { formatMoney } from '#contract/rules/format.ts';
import { CURRENCY, priceOnce, type OnceMonths } from '#contract/rules/plans.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import { getPlans } from '../subscriptions/service.ts';

export const describeMonths = (months: number): string =>
  months === 1 ? '1 month' : `${months} months`;

/** What these months cost, if that is what the page has shown. */
export async function getPrice(deps: Deps, months: OnceMonths, shown: number): Promise<number> {
  const amount = priceOnce(await getPlans(deps), months);
  const money = (cents: number) => formatMoney(cents, CURRENCY);
  if (shown !== amount)
    throw new AppError('price_changed', {
      message: `The price has changed: ${describeMonths(months)} cost ${money(amount)} now. Load the page again, and decide then.`,
    });
  const { minimumAmount } = deps.payments;
  if (amount < minimumAmount)
    throw new AppError('amount_too_small', {
      message: `This costs ${money(amount)}, but a payment must be at least ${money(minimumAmount)}.`,
    });
  return amount;
}
