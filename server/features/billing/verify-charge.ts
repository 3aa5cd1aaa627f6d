import { CURRENCY } from '#contract/rules/plans.ts';
import type { Charge } from '../../ports/payments/payments.ts';
import { formatAmount } from './format-amount.ts';
import type { CheckoutRow } from './queries.ts';
import { isAgreed, type Term } from './terms.ts';

/** What the member has agreed to, as far as this charge goes. */
export type Agreed = {
  /** The checkout the charge names, or the one its agreement came from while nothing was paid on it. */
  checkout: CheckoutRow | null;
  terms: readonly Term[];
  /** The code that the checkout's price comes from is used up: by this member, or by all together. */
  isCodeSpent?: boolean;
};

const isOfCheckout = (charge: Charge, checkout: CheckoutRow): boolean =>
  charge.plan === checkout.plan &&
  charge.amount === checkout.amount &&
  charge.currency === checkout.currency;

/** Why a charge that was really made pays for nothing here; null when it is the one agreed to. */
export function findChargeProblem(
  charge: Charge,
  { checkout, terms, isCodeSpent = false }: Agreed,
): string | null {
  const said = `${formatAmount(charge.amount, charge.currency)} was charged`;
  if (checkout && isOfCheckout(charge, checkout))
    return isCodeSpent ? `${said} with a code that had been used up before.` : null;
  if (charge.currency !== CURRENCY) return `${said}, which is not in ${CURRENCY}.`;
  if (charge.plan === null) return `${said} for something that is not one of our plans.`;
  if (charge.reference === null && isAgreed(terms, { plan: charge.plan, amount: charge.amount }))
    return null;
  if (charge.reference !== null && !checkout)
    return `${said} for a checkout that this member did not begin.`;
  const expected = checkout
    ? `${formatAmount(checkout.amount, checkout.currency)} (${checkout.plan})`
    : terms.map(({ plan, amount }) => `${formatAmount(amount, CURRENCY)} (${plan})`).join(' or ');
  return `${said} for the ${charge.plan} plan; agreed was ${expected || 'nothing'}.`;
}
