/** Amounts are in cents, as payment providers expect. */
export const CURRENCY = 'ZAR';
export const plans = {
  monthly: { amount: 79_00 },
  annual: { amount: 790_00 },
} as const;
export type Plan = keyof typeof plans;
