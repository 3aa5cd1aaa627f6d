import { z } from 'zod';
import type { Plan } from '#contract/rules/plans.ts';
import { Card } from '#contract/billing.ts';

const Term = z.object({ plan: z.enum(['monthly', 'annual']), amount: z.int() });
/** What a member has agreed to pay each time. */
export type Term = z.infer<typeof Term>;

export const readTerms = (text: string): Term[] => z.array(Term).parse(JSON.parse(text));

export const isAgreed = (terms: readonly Term[], { plan, amount }: Term): boolean =>
  terms.some((term) => term.plan === plan && term.amount === amount);

export function addTerms(terms: readonly Term[], more: readonly Term[]): Term[] {
  const all = [...terms];
  for (const term of more) if (!isAgreed(all, term)) all.push(term);
  return all;
}

/** What was agreed last for a plan. */
export const amountFor = (terms: readonly Term[], plan: Plan): number | null =>
  terms.findLast((term) => term.plan === plan)?.amount ?? null;

export const readCard = (text: string | null): z.infer<typeof Card> | null =>
  text === null ? null : Card.parse(JSON.parse(text));
