import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscription } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { ApiError } from '#web/lib/api.ts';
import { formatMoney } from '#web/lib/format.ts';
import { showErrorToast, showToast } from '#web/lib/toasts.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { SettingRow, SettingsSection } from '#web/ui/forms/settings.tsx';
import { CreditCard } from '#web/ui/icons.ts';
import { Notice } from '#web/ui/notice.tsx';
import { plansQuery, refreshAccess } from './api.ts';
import { payMutation, resumeMutation } from './subscription-changes.ts';
import { describeCard } from './documents/document-texts.ts';
import { planNames, planPeriods } from './plan-texts.ts';
import {
  useDateContext,
  formatNearDay,
  describeCancelling,
  describeFailedPayment,
  describeNextCharge,
  describePriceChange,
  describeProblem,
} from './subscription-texts.ts';
import { useCardUpdate } from './use-checkout.ts';
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
  const { status, card, renews, hasAccess, problem } = subscription;
  if (status === 'complimentary' && !renews)
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
  // Otherwise the notice at the top has the button.
  const isCancelledHere = renews && (hasAccess || problem !== null);
  return (
    <SettingsSection title="Payment">
      {(card || renews) && <CardRow card={card} />}
      {renews && <PlanRow subscription={subscription} />}
      {isCancelledHere && <CancelRow subscription={subscription} />}
      <WithdrawRow subscription={subscription} />
      {!renews && status !== 'starting' && <ResumeRow subscription={subscription} />}
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

/** The refund was accepted, but the payment provider hasn't made it yet. */
export function WithdrawalNotice({
  subscription: { withdrawal, currency },
}: {
  subscription: Subscription;
}) {
  if (!withdrawal?.isRequested) return null;
  return (
    <div className="px-gutter pt-6">
      <Notice
        tone="success"
        title={`Your refund of ${formatMoney(withdrawal.amount, currency)} is on its way`}
      >
        We’ve stored your request and will e-mail you when the refund is done. Nothing more is
        charged.
      </Notice>
    </div>
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

/** A price that will change, with a way out if it goes up. */
export function PriceChangeNotice({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const { buttonProps, render } = useCancelDialog();
  const title = describePriceChange(subscription, dates);
  const { priceChange } = subscription;
  if (title === null || !priceChange) return null;
  const isHigher = priceChange.amount > priceChange.oldAmount;
  return (
    <div className="px-gutter pt-6">
      <Notice
        tone={isHigher ? 'warning' : 'success'}
        title={title}
        actions={
          isHigher && (
            <Button variant="line" {...buttonProps}>
              Cancel subscription
            </Button>
          )
        }
      >
        {isHigher
          ? 'Every payment before then stays as it is. If you cancel before, you won’t pay the new price.'
          : 'There’s nothing to do.'}
      </Notice>
      {render({ subscription })}
    </div>
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

/** Pays what a failed renewal left unpaid, or says why the bank declined. */
function usePayNow() {
  const client = useQueryClient();
  const pay = useMutation(payMutation(client));
  const [refused, setRefused] = useState<string | null>(null);
  async function submit(): Promise<void> {
    if (pay.isPending) return;
    setRefused(null);
    try {
      const { problem } = await pay.mutateAsync();
      showToast(
        problem
          ? {
              title: 'Your bank is still deciding',
              description: 'This page updates once the payment has gone through.',
            }
          : { title: 'Paid', description: 'You have Premium again.' },
      );
    } catch (error) {
      if (error instanceof ApiError && error.code === 'payment_declined') setRefused(error.message);
      else if (error instanceof ApiError && error.code === 'nothing_owed')
        await refreshAccess(client);
      else showErrorToast(error, 'Check your connection and try again.', 'Couldn’t pay');
    }
  }
  return { submit: () => void submit(), isPending: pay.isPending, refused };
}

export function PaymentProblem({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const card = useCardUpdate();
  const { submit, isPending, refused } = usePayNow();
  const { problem, currency } = subscription;
  if (!problem) return null;
  const amount = problem.amount === null ? null : formatMoney(problem.amount, currency);
  return (
    <div className="px-gutter pt-6">
      <Notice
        tone={refused ? 'danger' : 'warning'}
        icon={CreditCard}
        title={describeFailedPayment(problem, currency, dates)}
        actions={
          <>
            {amount && (
              <Button aria-disabled={isPending} onClick={submit}>
                {isPending ? 'Paying…' : `Pay ${amount} now`}
              </Button>
            )}
            <Button variant="line" aria-disabled={card.isBusy} onClick={card.open}>
              {card.isBusy ? 'Opening…' : 'Update your card'}
            </Button>
          </>
        }
      >
        {refused ?? describeProblem(subscription, dates)}
      </Notice>
    </div>
  );
}

/** For a member without access whose card would still be charged, after a refund for example. */
export function StillRenews({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const { buttonProps, render } = useCancelDialog();
  return (
    <div className="px-gutter pt-6">
      <Notice
        tone="warning"
        icon={CreditCard}
        title="Your subscription still renews"
        actions={
          <Button variant="line" {...buttonProps}>
            Cancel subscription
          </Button>
        }
      >
        {describeNextCharge(subscription, dates)}
      </Notice>
      {render({ subscription })}
    </div>
  );
}
