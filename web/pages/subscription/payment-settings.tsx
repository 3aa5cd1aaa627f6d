import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { SettingRow, SettingsSection } from '#web/ui/forms/settings.tsx';
import { plansQuery } from '#web/features/billing/api.ts';
import { describeCard } from '#web/features/billing/documents/document-texts.ts';
import { planNames, planPeriods } from '#web/features/billing/plans/plan-texts.ts';
import {
  useDateContext,
  formatNearDay,
  describeCancelling,
} from '#web/features/billing/subscription-texts.ts';
import { useCardPage } from '#web/features/billing/checkout/use-checkout.ts';
import { useResume } from './use-resume.ts';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';

const useCancelDialog = lazyOverlay('dialog', () => import('./cancel-dialog.tsx'), 'CancelDialog');
const useChangePlanDialog = lazyOverlay(
  'dialog',
  () => import('./change-plan-dialog.tsx'),
  'ChangePlanDialog',
);

const useWithdrawDialog = lazyOverlay(
  'dialog',
  () => import('./withdraw-dialog.tsx'),
  'WithdrawDialog',
);

export function PaymentSettings({ subscription }: { subscription: Subscription }) {
  const { renews, card, hasAccess, problem, isHeld } = subscription;
  // Otherwise the notice at the top has the button.
  const isCancelledHere = renews && (problem !== null || (hasAccess && !isHeld));
  return (
    <SettingsSection title="Payment">
      {(card || renews) && <CardRow subscription={subscription} />}
      {renews && <PlanRow subscription={subscription} />}
      {isCancelledHere && <CancelRow subscription={subscription} />}
      <WithdrawRow subscription={subscription} />
      {!renews && <ResumeRow subscription={subscription} />}
    </SettingsSection>
  );
}

/** Offered for some days after the first payment, also once it is cancelled. */
function WithdrawRow({ subscription: { withdrawal, currency } }: { subscription: Subscription }) {
  const dates = useDateContext();
  const { buttonProps, render } = useWithdrawDialog();
  if (!withdrawal || withdrawal.until === null) return null;
  const { amount, until } = withdrawal;
  return (
    <SettingRow
      label="Changed your mind?"
      hint={`Until ${formatNearDay(until, dates)} you can get all of your ${formatMoney(amount, currency)} back. Premium then ends at once.`}
    >
      <Button variant="line" {...buttonProps}>
        Cancel and get your money back
      </Button>
      {render({ amount, currency })}
    </SettingRow>
  );
}

function CardRow({ subscription: { card, problem } }: { subscription: Subscription }) {
  const { open, isBusy } = useCardPage();
  const shown = card ? `${describeCard(card)}.` : 'No card is saved.';
  return (
    <SettingRow
      label="Card"
      hint={`${shown} ${problem ? 'Paying with another one replaces it.' : 'Your bank may show a small payment that checks a new card; it goes straight back.'}`}
    >
      <Button variant="line" aria-disabled={isBusy} onClick={open}>
        {isBusy ? 'Opening…' : problem ? 'Pay with another card' : 'Update card'}
      </Button>
    </SettingRow>
  );
}

function PlanRow({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const { plan, nextPlan, nextPayment } = subscription;
  const { data: plans } = useQuery(plansQuery);
  const { buttonProps, render } = useChangePlanDialog();
  const current = nextPlan ?? plan;
  if (!current) return null;
  const other: Plan = current === 'monthly' ? 'annual' : 'monthly';
  const hint = nextPlan
    ? `${planNames[nextPlan]} from ${nextPayment ? formatNearDay(nextPayment.at, dates) : 'your next payment'}.`
    : `${planNames[current]}${plans ? `, ${formatMoney(nextPayment?.amount ?? plans[current].amount, plans.currency)} a ${planPeriods[current]}` : ''}.`;
  const label =
    nextPlan === null
      ? `Change to ${planNames[other].toLowerCase()}`
      : other === 'annual'
        ? 'Renew for another year'
        : 'Keep monthly';
  return (
    <SettingRow label="Plan" hint={hint}>
      <Button variant="line" {...buttonProps}>
        {label}
      </Button>
      {render({ plan: other })}
    </SettingRow>
  );
}

function CancelRow({ subscription }: { subscription: Subscription }) {
  const { buttonProps, render } = useCancelDialog();
  return (
    <SettingRow label="Cancel" hint={describeCancelling(subscription)}>
      <Button variant="line" {...buttonProps}>
        Cancel subscription
      </Button>
      {render({ subscription })}
    </SettingRow>
  );
}

function ResumeRow({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const resume = useResume();
  const { canResume, hasAccess, paidThrough } = subscription;
  const end = paidThrough === null ? null : formatNearDay(paidThrough, dates);
  if (!canResume)
    return (
      <SettingRow
        label={hasAccess ? 'Stay on Premium' : 'Subscribe again'}
        hint={hasAccess && end && `You pay from ${end}, when the time you have ends.`}
      >
        <LinkButton href="/pricing" variant="line">
          See plans
        </LinkButton>
      </SettingRow>
    );
  return (
    <SettingRow
      label="Resume"
      hint={
        end
          ? `Nothing to pay now. Your next payment is on ${end}.`
          : 'Nothing to pay now. Your next payment date doesn’t change.'
      }
    >
      <Button onClick={() => void resume()}>Resume</Button>
    </SettingRow>
  );
}
