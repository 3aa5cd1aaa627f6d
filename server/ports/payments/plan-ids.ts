import type { Plan } from '#contract/rules/plans.ts';
import type { PlanIds } from '../../payments-settings.ts';

/** Null for ids that are not ours: another shop may share the account. */
export function toPlan(ids: PlanIds, id: string | null | undefined): Plan | null {
  if (id === null || id === undefined) return null;
  if (ids.monthly.includes(id)) return 'monthly';
  return ids.annual.includes(id) ? 'annual' : null;
}

/** Puts further ids before the configured ones. All parts of an adapter share the object. */
export function createPlanIdUser(
  ids: PlanIds,
): (more: Readonly<Record<Plan, readonly string[]>>) => void {
  const added: Record<Plan, string[]> = { monthly: [], annual: [] };
  return (more) => {
    for (const plan of ['monthly', 'annual'] as const) {
      const configured = ids[plan].filter((id) => !added[plan].includes(id));
      added[plan] = more[plan].filter((id) => !configured.includes(id));
      const [first = ids[plan][0], ...rest] = [...added[plan], ...configured];
      ids[plan] = [first, ...rest];
    }
  };
}
