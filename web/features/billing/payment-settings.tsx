import { CreditCard } from '#web/ui/icons.ts';
import type { Subscription } from '#contract/billing.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useCardUpdate } from './use-checkout.ts';
import { useDateContext, formatNearDay, describeCard, planNames, planPeriods } from './subscription-texts.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { formatMoney } from '#web/lib/format.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { describeFailure } from '#web/lib/api.ts';
import { plansQuery } from '#web/features/billing/api.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { SettingRow, SettingsSection } from '#web/ui/forms/settings.tsx';
import { resumeMutation } from './api.ts';

const CancelDialog = lazy(() =>
  import('./cancel-dialog.tsx').then((module) => ({ default: module.CancelDialog })),
);
const ChangePlanDialog = lazy(() =>
  import('./change-plan-dialog.tsx').then((module) => ({ default: module.ChangePlanDialog })),
);

/** What can be changed about paying, each with what it means before it is done. */
export function PaymentSettings({ subscription }: { subscription: Subscription }) {
  const { status, card } = subscription;
  if (status === 'complimentary')
    return (
      <SettingsSection title="Payment">
        <SettingRow
          label="Go on with Premium"
          hint="A subscription begins when what was given to you ends."
        >
          <Link href="/pricing" className={buttonClass({ variant: 'line' })}>
            See the plans
          </Link>
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
    <SettingRow label="Card" hint={card ? describeCard(card) : 'Kept by the payment provider.'}>
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
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const current = nextPlan ?? plan;
  if (!current) return null;
  const other: Plan = current === 'monthly' ? 'annual' : 'monthly';
  const hint = nextPlan
    ? `${planNames[nextPlan]} from ${nextPayment ? formatNearDay(nextPayment.at, dates) : 'the next payment'}.`
    : `${planNames[current]}${plans ? `, ${formatMoney(nextPayment?.amount ?? plans[current].amount, plans.currency)} every ${planPeriods[current]}` : ''}.`;
  const label =
    nextPlan === null
      ? `Change to ${planNames[other].toLowerCase()}`
      : `Stay ${planNames[other].toLowerCase()}`;
  return (
    <SettingRow label="Plan" hint={hint}>
      <Button
        variant="line"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        {label}
      </Button>
      <Suspense fallback={null}>
        {isWanted && <ChangePlanDialog open={isOpen} onOpenChange={setOpen} plan={other} />}
      </Suspense>
    </SettingRow>
  );
}

function CancelRow({ subscription }: { subscription: Subscription }) {
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  return (
    <SettingRow label="Cancel" hint="You keep what you have paid for to its end.">
      <Button
        variant="line"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        Cancel subscription
      </Button>
      <Suspense fallback={null}>
        {isWanted && (
          <CancelDialog open={isOpen} onOpenChange={setOpen} subscription={subscription} />
        )}
      </Suspense>
    </SettingRow>
  );
}

function ResumeRow({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const resume = useMutation(resumeMutation(useQueryClient()));
  async function resumeIt(): Promise<void> {
    if (resume.isPending) return;
    try {
      await resume.mutateAsync();
      showToast({ title: 'Your subscription renews again' });
    } catch (error) {
      showToast({
        title: 'Your subscription could not be resumed',
        description: describeFailure(error, 'Check the connection and try again.'),
        variant: 'destructive',
      });
    }
  }
  const { canResume, paidThrough } = subscription;
  const end = paidThrough === null ? null : formatNearDay(paidThrough, dates);
  if (!canResume)
    return (
      <SettingRow
        label="Subscribe again"
        hint={end && `What you have paid for lasts until ${end}.`}
      >
        <Link href="/pricing" className={buttonClass({ variant: 'line' })}>
          See the plans
        </Link>
      </SettingRow>
    );
  return (
    <SettingRow
      label="Resume"
      hint={`Nothing is charged now. The next payment is on ${end ?? 'the day it would have been'}.`}
    >
      <Button aria-disabled={resume.isPending} onClick={() => void resumeIt()}>
        Resume
      </Button>
    </SettingRow>
  );
}

/** A payment failed: what still works, until when, and the one thing to do. */
export function PaymentProblem({ subscription }: { subscription: Subscription }) {
  const dates = useDateContext();
  const { open, isBusy } = useCardUpdate();
  const { problem, accessUntil, hasAccess } = subscription;
  if (!problem) return null;
  return (
    <div className="px-gutter pt-6">
      <Notice tone="warning" icon={CreditCard} title="Your payment did not go through">
        {problem.message}{' '}
        {hasAccess && accessUntil !== null
          ? `Premium stays on until ${formatNearDay(accessUntil, dates)}.`
          : 'Premium is off until it goes through.'}{' '}
        <button type="button" aria-disabled={isBusy} onClick={open}>
          {isBusy ? 'Opening…' : 'Update card'}
        </button>
      </Notice>
    </div>
  );
}
