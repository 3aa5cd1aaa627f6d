/** Amounts are in cents, as payment providers expect. */
export const CURRENCY = 'ZAR';
export const plans = {
  monthly: { amount: 79_00 },
  annual: { amount: 790_00 },
} as const;
export type Plan = keyof typeof plans;

export const monthsOf = (plan: Plan): number => (plan === 'annual' ? 12 : 1);

/** What can be paid once, without renewing. */
export const ONCE_MONTHS = [1, 3, 12] as const;
export type OnceMonths = (typeof ONCE_MONTHS)[number];

export const isOnceMonths = (months: number): months is OnceMonths =>
  ONCE_MONTHS.some((one) => one === months);

export const describeMonths = (months: number): string =>
  months === 1 ? '1 month' : `${months} months`;

/** Twelve months cost what a year costs. */
export const priceOnce = (
  { monthly, annual }: Record<Plan, { amount: number }>,
  months: OnceMonths,
): number => (months === 12 ? annual.amount : months * monthly.amount);
