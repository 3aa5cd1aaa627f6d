import type { Subscription } from '#contract/billing.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { CreditCard } from '#web/ui/icons.ts';
import { Notice } from '#web/ui/notice.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import {
  describeHold,
  describeNextCharge,
  describePriceChange,
  useDateContext,
} from '#web/features/billing/subscription-texts.ts';

const useCancelDialog = lazyOverlay('dialog', () => import('./cancel-dialog.tsx'), 'CancelDialog');

type Props = { subscription: Subscription };

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

/** Nothing is charged while a bank decides about a dispute. */
export function HeldNotice({ subscription }: Props) {
  const { buttonProps, render } = useCancelDialog();
  return (
    <div className="px-gutter pt-6">
      <Notice
        tone="warning"
        icon={CreditCard}
        title="Your bank is deciding about a payment"
        actions={
          subscription.renews && (
            <Button variant="line" {...buttonProps}>
              Cancel subscription
            </Button>
          )
        }
      >
        {describeHold(subscription)}
      </Notice>
      {render({ subscription })}
    </div>
  );
}
