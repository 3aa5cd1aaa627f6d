import { z } from 'zod';
import type { Plan } from '#contract/rules/plans.ts';

const AgreedPrice = z.object({ plan: z.enum(['monthly', 'annual']), amount: z.int() });
/** A price that the user agreed to pay at each renewal. */
export type AgreedPrice = z.infer<typeof AgreedPrice>;

export const readAgreedPrices = (text: string): AgreedPrice[] =>
  z.array(AgreedPrice).parse(JSON.parse(text));

export const isAgreed = (prices: readonly AgreedPrice[], { plan, amount }: AgreedPrice): boolean =>
  prices.some((price) => price.plan === plan && price.amount === amount);

export function addAgreedPrices(
  prices: readonly AgreedPrice[],
  more: readonly AgreedPrice[],
): AgreedPrice[] {
  const all = [...prices];
  for (const price of more) if (!isAgreed(all, price)) all.push(price);
  return all;
}

/** The latest price the user agreed to for a plan. */
export const findAgreedAmount = (prices: readonly AgreedPrice[], plan: Plan): number | null =>
  prices.findLast((price) => price.plan === plan)?.amount ?? null;
