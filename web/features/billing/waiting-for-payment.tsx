import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import type { SuccessPhase } from './success-phase.ts';

/** After this it is said that nobody has to wait here. */
const PATIENCE_MS = 12_000;
const BARS = [35, 60, 45, 80, 55, 95, 70, 50, 85, 40, 65, 30];

const words: Partial<Record<SuccessPhase, { title: string; text: string }>> = {
  checking: {
    title: 'Looking for your payment',
    text: 'This takes a moment. Premium opens here by itself.',
  },
  waiting: {
    title: 'Waiting for your bank',
    text: 'The payment is not decided yet. Premium opens here by itself as soon as it is.',
  },
  opening: { title: 'Paid', text: 'Premium is opening.' },
  unreachable: {
    title: 'The payment provider does not answer',
    text: 'If you have paid, nothing is lost: Premium opens as soon as we hear of it.',
  },
};

type WaitingProps = { phase: SuccessPhase; isAsking: boolean; onCheckAgain: () => void };

export function WaitingForPayment({ phase, isAsking, onCheckAgain }: WaitingProps) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const { title, text } = words[phase] ?? { title: 'One moment', text: '' };
  return (
    <>
      <PageHead title="One moment" />
      <div className="flex flex-col items-start gap-2.5 px-gutter pt-8">
        <div aria-hidden className="mb-2 flex h-16 items-end gap-[5px]">
          {BARS.map((height, i) => (
            <i
              key={i}
              className="w-[9px] origin-bottom animate-bounce-bar rounded-[1.5px] bg-text-3"
              style={{ height: `${height}%`, animationDelay: `${i * -130}ms` }}
            />
          ))}
        </div>
        <div role="status">
          <h2 className="type-section text-28">{title}</h2>
          <p className="mt-2.5 max-w-[44ch] text-text-2">{text}</p>
          {isLong && (
            <p className="mt-2.5 max-w-[44ch] text-text-2">
              You need not wait here. Listen on; Premium opens on every page, and the receipt comes
              by e-mail.
            </p>
          )}
        </div>
        {isLong && (
          <p className="mt-2 flex flex-wrap gap-2.5">
            <Button variant="line" aria-disabled={isAsking} onClick={onCheckAgain}>
              {isAsking ? 'Asking…' : 'Ask again'}
            </Button>
            <Link href="/" className={buttonClass({ variant: 'quiet' })}>
              Go to this week
            </Link>
          </p>
        )}
      </div>
    </>
  );
}
