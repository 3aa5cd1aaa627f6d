import type { Plan } from '#contract/rules/plans.ts';
import type { PlanIds } from '../../payments-settings.ts';

/** The id for new subscriptions; the others are earlier prices that some users still pay. */
export const currentPlanId = (ids: PlanIds, plan: Plan): string => ids[plan][0];

/** Null for ids that are not ours: another shop may share the account. */
export function toPlan(ids: PlanIds, id: string | null | undefined): Plan | null {
  if (id === null || id === undefined) return null;
  if (ids.monthly.includes(id)) return 'monthly';
  return ids.annual.includes(id) ? 'annual' : null;
}
