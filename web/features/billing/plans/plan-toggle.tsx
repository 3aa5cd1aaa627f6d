import type { Plans } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { formatPlanPrice, planNames } from './plan-texts.ts';

const PLANS: Plan[] = ['monthly', 'annual'];

type PlanToggleProps = {
  plan: Plan;
  onPlanChange: (plan: Plan) => void;
  /** Labels the plans with their prices, where nothing else shows them. */
  plans?: Plans | null | undefined;
};

export function PlanToggle({ plan, plans, onPlanChange }: PlanToggleProps) {
  const options = PLANS.map((value) => ({
    value,
    label: plans ? formatPlanPrice(value, plans) : planNames[value],
  }));
  return <Segmented label="Plan" options={options} value={plan} onValueChange={onPlanChange} />;
}
