import { CURRENCY } from '#contract/rules/plans.ts';

/** `R79.00`: with its cents, as on a bill. */
export const formatAmount = (cents: number, currency: string): string => {
  const amount = (cents / 100).toFixed(2);
  return currency === CURRENCY ? `R${amount}` : `${currency} ${amount}`;
};

/** Making one takes longer than a thousand uses of it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function findFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-ZA', { timeZone, dateStyle: 'long' });
  formats.set(timeZone, format);
  return format;
}

/** `15 November 2026`, where the site is. */
export const formatDay = (at: number, timeZone: string): string => findFormat(timeZone).format(at);
