import type { Plan } from '#contract/rules/plans.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';

const MONTHS: Record<Plan, number> = { monthly: 1, annual: 12 };

/** The first payment on or after a time, of a subscription whose next payment is known. */
export function findFirstPayment(
  { nextChargeAt, plan }: { nextChargeAt: number | null; plan: Plan },
  from: number,
  calendar: Calendar,
): number {
  if (nextChargeAt === null) return from;
  let at = nextChargeAt;
  for (let months = MONTHS[plan]; at < from; months += MONTHS[plan])
    at = calendar.addMonths(nextChargeAt, months);
  return at;
}
