import type { Subscription } from '#contract/billing.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { describeOwed, listOwedFacts } from './owed-texts.ts';
import { useDateContext } from '#web/features/billing/subscription-texts.ts';
import { usePayPage } from '#web/features/billing/checkout/use-checkout.ts';

type OwedPanelProps = { subscription: Subscription };

/** What is owed, why and until when, with the one button that settles it. */
export function OwedPanel({ subscription }: OwedPanelProps) {
  const dates = useDateContext();
  const { open, isBusy } = usePayPage();
  const { problem, currency } = subscription;
  if (!problem) return null;
  const amount = formatMoney(problem.amount, currency);
  return (
    <section aria-label="Payment due" className="inverse-ground mt-7 md:mx-gutter">
      <div className="inverse-content grid gap-x-14 gap-y-7 px-4 pt-6 pb-5 md:px-8 md:pt-7 @4xl/content:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] @4xl/content:pb-7">
        <div className="flex flex-col items-start">
          <h2 className="type-label">Payment due</h2>
          <p className="mt-5 text-text">
            <span className="sr-only">{amount}</span>
            <span
              aria-hidden
              className="type-numeral text-[min(5.75rem,24vw)] text-current md:text-[128px]"
            >
              {amount}
            </span>
          </p>
          <p className="mt-5 max-w-[46ch] text-16">{describeOwed(problem)}</p>
          <Button size="lg" className="mt-5 w-full md:w-auto" aria-disabled={isBusy} onClick={open}>
            {isBusy
              ? 'Opening the payment page…'
              : problem.needsMember
                ? 'Confirm the payment'
                : `Pay ${amount} now`}
          </Button>
          <p className="mt-3 text-13 text-text-2">
            Any card will do. The one that pays is kept for later payments.
          </p>
        </div>
        <dl className="self-end">
          {listOwedFacts({ ...subscription, problem }, dates).map(([name, value]) => (
            <div key={name} className="flex gap-4 border-t border-line py-2.5">
              <dt className="w-28 shrink-0 text-text-3">{name}</dt>
              <dd className="min-w-0">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
