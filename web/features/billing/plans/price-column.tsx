import type { ReactNode } from 'react';
import { formatMoney } from '#web/lib/format/format.ts';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { Benefit } from './plan-benefits.ts';

type PriceColumnProps = {
  name: string;
  /** Cents; null while loading. */
  amount: number | null;
  currency: string;
  note: ReactNode;
  benefits: readonly Benefit[];
  bars: 'solid' | 'hollow';
  /** Light on dark in the light theme, and the other way round. */
  isInverted?: boolean;
  children: ReactNode;
};

export function PriceColumn({
  name,
  amount,
  currency,
  note,
  benefits,
  bars,
  isInverted = false,
  children,
}: PriceColumnProps) {
  return (
    <section
      aria-label={name}
      className={
        isInverted
          ? 'inverse-ground order-first @3xl/content:order-none'
          : 'bg-surface @3xl/content:self-start'
      }
    >
      <div
        className={`flex h-full flex-col px-4 pt-6 pb-7 md:px-8 md:pt-7 md:pb-8 ${isInverted ? 'inverse-content' : ''}`}
      >
        <h2 className="type-section">{name}</h2>
        <div className="mt-6 mb-5 flex items-end gap-7">
          <Price amount={amount} currency={currency} />
          <div className="h-36 min-w-0 flex-1 md:h-[198px]">
            <PosterBars
              bars={yearShape().map((bar) => ({ ...bar, isOutline: bars === 'hollow' }))}
            />
          </div>
        </div>
        <div className="min-h-5 type-meta">{note}</div>
        <ul className="mt-4 mb-6">
          {benefits.map(({ icon: Icon, text }) => (
            <li
              key={text}
              className="flex min-h-[42px] items-center gap-3 border-t border-line py-2 text-16"
            >
              <Icon className="size-[18px] shrink-0" />
              {text}
            </li>
          ))}
        </ul>
        {children}
      </div>
    </section>
  );
}

function Price({ amount, currency }: { amount: number | null; currency: string }) {
  if (amount === null)
    return <Skeleton className="h-[142px] w-[150px] md:h-[200px] md:w-[200px]" />;
  const whole = Math.floor(amount / 100);
  const cents = amount % 100;
  // Three digits leave less room for the bars.
  const size = whole < 100 ? 'text-[196px] md:text-[276px]' : 'text-[148px] md:text-[276px]';
  return (
    <p className="flex items-start gap-2 whitespace-nowrap text-text-2">
      <span className="sr-only">{formatMoney(amount, currency)}</span>
      <span
        aria-hidden
        className="type-numeral text-[52px] font-stretch-[80%] text-current md:text-[72px]"
      >
        R
      </span>
      <span aria-hidden className={`type-numeral text-current ${size}`}>
        {whole}
      </span>
      {cents > 0 && (
        <span aria-hidden className="type-numeral text-[40px] text-current md:text-[56px]">
          {String(cents).padStart(2, '0')}
        </span>
      )}
    </p>
  );
}
