import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { CURRENCY, ONCE_MONTHS, priceOnce, type OnceMonths } from '#contract/rules/plans.ts';
import { plansQuery } from '../api.ts';
import { describeCheckoutFailure } from '../checkout/checkout-failure.ts';
import { useRedirect } from '../checkout/use-checkout.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { useQueryString } from '#web/lib/location/use-query-param.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { startOnceMutation } from './api.ts';
import { formatMonths, parseOnce } from './once-texts.ts';

/** Opens the payment page, however often the button is pressed. */
export function useOnce() {
  const { isLeaving, redirect } = useRedirect();
  const once = useMutation({ ...startOnceMutation, onSuccess: ({ url }) => redirect(url) });
  const isBusy = once.isPending || isLeaving;
  return {
    isBusy,
    error: once.error,
    start: (months: OnceMonths, amount: number) => void (isBusy || once.mutate({ months, amount })),
  };
}

/** A link in a mail leads straight to the payment page, once. */
function useStarted(start: (months: OnceMonths, amount: number) => void) {
  const { data: plans } = useQuery(plansQuery);
  const [path, navigate] = useLocation();
  const chosen = parseOnce(useQueryString());
  const isDone = useRef(false);
  useEffect(() => {
    if (!chosen?.isStarted || !plans || isDone.current) return;
    isDone.current = true;
    navigate(`${path}?once=${chosen.months}`, { replace: true });
    start(chosen.months, priceOnce(plans, chosen.months));
  });
  return chosen?.months ?? null;
}

/** For people without a card. */
export function PayOnceSection() {
  const { data: plans } = useQuery(plansQuery);
  const { start, isBusy, error } = useOnce();
  const chosen = useStarted(start);
  const failure = error && describeCheckoutFailure(error);
  return (
    <section aria-labelledby="pay-once" className="mt-12">
      <div className="px-gutter">
        <SectionHead id="pay-once" title="No card? Pay once" />
        <p className="mb-4 max-w-[60ch] text-text-2">
          From your bank account, by QR code or with any card. Nothing renews, and what you pay for
          is added to the time you have.
        </p>
        {failure && (
          <Notice tone="danger" title={failure.title} className="mb-4">
            {failure.text}
          </Notice>
        )}
      </div>
      <ul className="grid gap-0.5 md:mx-gutter @2xl/content:grid-cols-3">
        {ONCE_MONTHS.map((months) => (
          <OnceChoice
            key={months}
            months={months}
            amount={plans ? priceOnce(plans, months) : null}
            isChosen={months === chosen}
            isBusy={isBusy}
            onStart={start}
          />
        ))}
      </ul>
      <div className="mt-8 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 px-gutter">
        <p className="max-w-[52ch] text-text-2">
          <b className="font-semibold text-text">Give Premium.</b> For a birthday or a long drive:
          by link, by e-mail on a day you choose, or on a card to print.
        </p>
        <LinkButton href="/give" variant="line">
          Give Premium
        </LinkButton>
      </div>
    </section>
  );
}

type OnceChoiceProps = {
  months: OnceMonths;
  /** Cents; null while loading. */
  amount: number | null;
  isChosen: boolean;
  isBusy: boolean;
  onStart: (months: OnceMonths, amount: number) => void;
};

function OnceChoice({ months, amount, isChosen, isBusy, onStart }: OnceChoiceProps) {
  return (
    <li className="flex items-end justify-between gap-4 bg-surface px-4 py-5 md:px-8 @2xl/content:flex-col @2xl/content:items-start">
      <div>
        <h3 className="type-label">{formatMonths(months)}</h3>
        <p className="mt-3 min-h-[52px] type-numeral text-[56px] text-text">
          {amount !== null && formatMoney(amount, CURRENCY)}
        </p>
      </div>
      <Button
        variant={isChosen ? 'primary' : 'line'}
        aria-label={`Pay once for ${formatMonths(months)}`}
        aria-disabled={isBusy || amount === null}
        onClick={() => amount !== null && onStart(months, amount)}
      >
        {isBusy ? 'One moment…' : 'Pay once'}
      </Button>
    </li>
  );
}
