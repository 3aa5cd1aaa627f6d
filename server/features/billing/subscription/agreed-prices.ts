import { z } from 'zod';
import type { Plan } from '#contract/rules/plans.ts';

const AgreedPrice = z.object({
  plan: z.enum(['monthly', 'annual']),
  amount: z.int(),
  /** A price change limits the old price to payments before it, and the new one to later ones. */
  from: z.int().optional(),
  until: z.int().optional(),
});
/** A price that the user agreed to pay at each renewal. */
export type AgreedPrice = z.infer<typeof AgreedPrice>;
type Price = Pick<AgreedPrice, 'plan' | 'amount'>;

export const readAgreedPrices = (text: string): AgreedPrice[] =>
  z.array(AgreedPrice).parse(JSON.parse(text));

const isSame = (one: Price, other: Price): boolean =>
  one.plan === other.plan && one.amount === other.amount;

const isValidAt = ({ from = -Infinity, until = Infinity }: AgreedPrice, at: number): boolean =>
  from <= at && at < until;

export const isAgreed = (prices: readonly AgreedPrice[], paid: Price, at: number): boolean =>
  prices.some((price) => isSame(price, paid) && isValidAt(price, at));

export function addAgreedPrices(
  prices: readonly AgreedPrice[],
  more: readonly AgreedPrice[],
): AgreedPrice[] {
  const all = [...prices];
  for (const price of more) if (!all.some((other) => isSame(other, price))) all.push(price);
  return all;
}

/** The user chooses this price now, whatever was agreed before. */
export const agreeTo = (prices: readonly AgreedPrice[], price: Price): AgreedPrice[] => [
  ...prices.filter((other) => !isSame(other, price)),
  price,
];

/** From then on the plan costs this, and no other price of it is agreed any more. */
export const replacePrices = (
  prices: readonly AgreedPrice[],
  price: Price,
  from: number,
): AgreedPrice[] => [
  ...prices
    .filter((other) => !isSame(other, price))
    .map((other) => (other.plan === price.plan ? { ...other, until: from } : other)),
  { ...price, from },
];

/** The latest price the user agreed to for a plan. */
export const findAgreedAmount = (prices: readonly AgreedPrice[], plan: Plan): number | null =>
  prices.findLast((price) => price.plan === plan)?.amount ?? null;

/**
 * The price agreed for a plan at that time that a charge of another amount stands for: the highest
 * one below it, or the lowest one if all are above.
 */
export function findClosestAgreedAmount(
  prices: readonly AgreedPrice[],
  { plan, amount }: Price,
  at: number,
): number | null {
  const agreed = prices
    .filter((price) => price.plan === plan && isValidAt(price, at))
    .map((price) => price.amount);
  const below = agreed.filter((price) => price <= amount);
  if (below.length > 0) return Math.max(...below);
  return agreed.length > 0 ? Math.min(...agreed) : null;
}
