import { CURRENCY } from '#contract/rules/plans.ts';

/** `R79.00`: with its cents, as on a bill. */
export const formatAmount = (cents: number, currency: string): string => {
  const amount = (cents / 100).toFixed(2);
  return currency === CURRENCY ? `R${amount}` : `${currency} ${amount}`;
};

/** `15 November 2026`, where the site is. */
export const formatDay = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-ZA', { timeZone, dateStyle: 'long' }).format(at);
