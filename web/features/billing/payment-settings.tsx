import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Subscription } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { formatMoney } from '#web/lib/format.ts';
import { showErrorToast, showToast } from '#web/lib/toasts.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { SettingRow, SettingsSection } from '#web/ui/forms/settings.tsx';
import { CreditCard } from '#web/ui/icons.ts';
import { Notice } from '#web/ui/notice.tsx';
import { plansQuery, resumeMutation } from './api.ts';
import {
  useDateContext,
  formatNearDay,
  describeCard,
  planNames,
  planPeriods,
} from './subscription-texts.ts';
import { useCardUpdate } from './use-checkout.ts';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';

const useCancelDialog = lazyOverlay('dialog', () => import('./cancel-dialog.tsx'), 'CancelDialog');
const useChangePlanDialog = lazyOverlay(
  'dialog',
  () => import('./change-plan-dialog.tsx'),
  'ChangePlanDialog',
);

export function PaymentSettings({ subscription }: { subscription: Subscription }) {
  const { status, card } = subscription;
  if (status === 'complimentary')
    return (
      <SettingsSection title="Payment">
        <SettingRow
          label="Continue with Premium"
          hint="Your subscription will start when your free access ends."
        >
          <LinkButton href="/pricing" variant="line">
            See plans
          </LinkButton>
        </SettingRow>
      </SettingsSection>
    );
  const isRenewing = status !== 'cancelled';
  return (
    <SettingsSection title="Payment">
      {(card || isRenewing) && <CardRow card={card} />}
      {isRenewing && <PlanRow subscription={subscription} />}
      {isRenewing ? (
        <CancelRow subscription={subscription} />
      ) : (
        <ResumeRow subscription={subscription} />
      )}
    </SettingsSection>
  );
}

function CardRow({ card }: { card: Subscription['card'] }) {
  const { open, isBusy } = useCardUpdate();
  return (
    <SettingRow
      label="Card"
      hint={card ? describeCard(card) : 'Stored securely by our payment provider.'}
    >
      <Button variant="line" aria-disabled={isBusy} onClick={open}>
        {isBusy ? 'Opening…' : 'Update card'}
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
      : `Keep ${planNames[other].toLowerCase()}`;
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
    <SettingRow label="Cancel" hint="You’ll keep access until the end of your billing period.">
      <Button variant="line" {...buttonProps}>
        Cancel subscription
      </Button>
      {render({ subscription })}
    </SettingRow>
  );
}

function ResumeRow({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const resume = useMutation(resumeMutation(useQueryClient()));
  async function submit(): Promise<void> {
    if (resume.isPending) return;
    try {
      await resume.mutateAsync();
      showToast({ title: 'Subscription resumed' });
    } catch (error) {
      showErrorToast(
        error,
        'Check your connection and try again.',
        'Couldn’t resume your subscription',
      );
    }
  }
  const { canResume, paidThrough } = subscription;
  const end = paidThrough === null ? null : formatNearDay(paidThrough, dates);
  if (!canResume)
    return (
      <SettingRow label="Subscribe again" hint={end && `Your access lasts until ${end}.`}>
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
      <Button aria-disabled={resume.isPending} onClick={() => void submit()}>
        Resume
      </Button>
    </SettingRow>
  );
}

export function PaymentProblem({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const { open, isBusy } = useCardUpdate();
  const { problem, accessUntil, hasAccess } = subscription;
  if (!problem) return null;
  return (
    <div className="px-gutter pt-6">
      <Notice tone="warning" icon={CreditCard} title="Your payment didn’t go through">
        {problem.message}{' '}
        {hasAccess && accessUntil !== null
          ? `You’ll keep Premium until ${formatNearDay(accessUntil, dates)}.`
          : 'Premium is paused until the payment succeeds.'}{' '}
        <button type="button" aria-disabled={isBusy} onClick={open}>
          {isBusy ? 'Opening…' : 'Update card'}
        </button>
      </Notice>
    </div>
  );
}
