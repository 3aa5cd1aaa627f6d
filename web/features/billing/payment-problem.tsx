import { CreditCard } from 'lucide-react';
import type { Subscription } from '#contract/billing.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useCardUpdate } from './use-card-update.ts';
import { useMoment } from './use-moment.ts';
import { nameDay } from './words.ts';

/** A payment failed: what still works, until when, and the one thing to do. */
export function PaymentProblem({ subscription }: { subscription: Subscription }) {
  const moment = useMoment();
  const { open, isBusy } = useCardUpdate();
  const { problem, accessUntil, hasAccess } = subscription;
  if (!problem) return null;
  return (
    <div className="px-gutter pt-6">
      <Notice tone="warning" icon={CreditCard} title="Your payment did not go through">
        {problem.message}{' '}
        {hasAccess && accessUntil !== null
          ? `Premium stays on until ${nameDay(accessUntil, moment)}.`
          : 'Premium is off until it goes through.'}{' '}
        <button type="button" aria-disabled={isBusy} onClick={open}>
          {isBusy ? 'Opening…' : 'Update card'}
        </button>
      </Notice>
    </div>
  );
}
