import type { Subscription } from '#contract/billing.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import {
  useDateContext,
  formatNearDay,
  type DateContext,
} from '#web/features/billing/subscription-texts.ts';
import { usePayPage } from '#web/features/billing/checkout/use-checkout.ts';
import { describeCard } from '#web/features/billing/documents/document-texts.ts';
import { BigAmount } from './big-amount.tsx';

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
            <BigAmount>{amount}</BigAmount>
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

type Owed = Pick<Subscription, 'hasAccess' | 'accessUntil' | 'card' | 'isHeld'> & {
  problem: NonNullable<Subscription['problem']>;
};

/** Why the payment is owed. */
export const describeOwed = ({ needsMember, message }: Owed['problem']): string =>
  needsMember
    ? 'Your bank wants you to confirm this payment. It takes a minute on its own page.'
    : message;

const namePaying = (card: Owed['card']): string =>
  card ? `, with ${describeCard(card).split(',', 1)[0]}` : '';

function describeRetry({ problem, card, isHeld }: Owed, dates: DateContext): string {
  if (isHeld) return 'Not while your bank decides about the dispute';
  if (problem.needsMember) return 'Only once you confirm';
  if (problem.retryAt === null) return 'No, this card can’t be charged again';
  if (problem.retryAt <= dates.now) return `In a few minutes${namePaying(card)}`;
  return `On ${formatNearDay(problem.retryAt, dates)}${namePaying(card)}`;
}

/** Since when, until when, and what happens if the member does nothing. */
export function listOwedFacts(owed: Owed, dates: DateContext): [name: string, value: string][] {
  const { problem, hasAccess, accessUntil } = owed;
  const day = (at: number) => formatNearDay(at, dates);
  return [
    ['Unpaid since', day(problem.since)],
    [
      'Premium',
      hasAccess && accessUntil !== null
        ? `You keep it until ${day(accessUntil)}`
        : 'Paused until this is paid',
    ],
    ['We try again', describeRetry(owed, dates)],
    ['Pay by', `${day(problem.until)}, or your subscription ends`],
  ];
}
