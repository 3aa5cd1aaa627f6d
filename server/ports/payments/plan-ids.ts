import type { Plan } from '#contract/rules/plans.ts';
import type { PlanIds } from '../../payments-settings.ts';

/** What new members are sold; the others are what it was sold as before. */
export const currentPlanId = (ids: PlanIds, plan: Plan): string => ids[plan][0];

/** Null for what is not ours: another shop may share the account. */
export function toPlan(ids: PlanIds, id: string | null | undefined): Plan | null {
  if (id === null || id === undefined) return null;
  if (ids.monthly.includes(id)) return 'monthly';
  return ids.annual.includes(id) ? 'annual' : null;
}
