import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { CURRENCY } from '#contract/rules/plans.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { PlayButton } from '#web/ui/play-button.tsx';
import { subscriptionQuery } from '#web/features/billing/api.ts';
import { AT_BANK_TITLE, describeAtBank } from '#web/features/billing/checkout/result-texts.ts';
import { describeCard } from '#web/features/billing/documents/document-texts.ts';
import {
  useDateContext,
  describeStatus,
  formatNearDay,
} from '#web/features/billing/subscription-texts.ts';
import type { CheckoutPhase } from '#web/features/billing/checkout/use-checkout-status.ts';

/** After this the page says that there is no need to wait. */
const LONG_WAIT_MS = 12_000;
const BARS = [35, 60, 45, 80, 55, 95, 70, 50, 85, 40, 65, 30];

const texts: Partial<Record<CheckoutPhase, { title: string; text: string }>> = {
  checking: {
    title: 'Confirming your payment',
    text: 'This only takes a moment. Premium will unlock automatically.',
  },
  waiting: {
    title: 'Waiting for your bank',
    text: 'Your bank hasn’t confirmed yet. Premium will unlock as soon as it does.',
  },
  pending: { title: AT_BANK_TITLE, text: '' },
  unlocking: { title: 'Paid', text: 'Unlocking Premium…' },
  unreachable: {
    title: 'We can’t reach the payment provider',
    text: 'If you’ve paid, nothing is lost. Premium unlocks as soon as we hear back.',
  },
};

type WaitingProps = { phase: CheckoutPhase; isChecking: boolean; onCheckAgain: () => void };

export function WaitingForPayment({ phase, isChecking, onCheckAgain }: WaitingProps) {
  const [isLong, setLong] = useState(false);
  const { data: subscription } = useQuery(subscriptionQuery);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const { title, text } = texts[phase] ?? { title: 'One moment', text: '' };
  const isPending = phase === 'pending';
  const access = subscription ?? { currency: CURRENCY, hasAccess: false };
  return (
    <>
      <PageHead title={isPending ? 'On its way' : 'One moment'} />
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
          <p className="mt-2.5 max-w-[44ch] text-text-2">
            {isPending ? describeAtBank(subscription?.pending, access) : text}
          </p>
          {isLong && !isPending && (
            <p className="mt-2.5 max-w-[44ch] text-text-2">
              No need to wait here. Keep listening; Premium will unlock on every page and we’ll
              e-mail your receipt.
            </p>
          )}
        </div>
        {(isLong || isPending) && (
          <p className="mt-2 flex flex-wrap gap-2.5">
            <Button variant="line" aria-disabled={isChecking} onClick={onCheckAgain}>
              {isChecking ? 'Checking…' : 'Check again'}
            </Button>
            <LinkButton href="/" variant="quiet">
              Hear this week’s mix
            </LinkButton>
            <LinkButton href="/subscription" variant="quiet">
              Your subscription
            </LinkButton>
          </p>
        )}
      </div>
    </>
  );
}

export function PaymentSummary() {
  const dates = useDateContext();
  const { data } = useQuery(subscriptionQuery);
  if (!data) return null;
  const { nextPayment, card, currency } = data;
  const rows = [
    ['Plan', describeStatus(data, dates)],
    nextPayment && [
      nextPayment.isFirst ? 'First payment' : 'Next payment',
      `${formatMoney(nextPayment.amount, currency)} on ${formatNearDay(nextPayment.at, dates)}`,
    ],
    card && ['Card', describeCard(card)],
  ].filter((row) => row !== null);
  return (
    <dl data-keep-clear className="mx-gutter mt-7 max-w-[640px] border-b border-line">
      {rows.map(([name, value]) => (
        <div key={name} className="flex gap-6 border-t border-line py-3.5">
          <dt className="w-32 shrink-0 text-text-3">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The track that the checkout interrupted. If the browser blocks autoplay, the button starts it. */
export function ContinuedTrack({ trackId, position }: { trackId: string; position: number }) {
  const player = usePlayer();
  const track = usePlayerState((state) => state.currentTrack);
  const isPlaying = usePlayerState((state) => state.isPlaying || state.isStarting);
  if (track?.id !== trackId) return null;
  const time = formatDuration(position);
  return (
    <section
      aria-label="The mix you were listening to"
      data-week={track.weekNumber}
      data-keep-clear
      className="stage flex items-center gap-4 px-gutter py-5 md:gap-7 md:py-7"
    >
      <Sleeve
        week={track.weekNumber}
        trackId={track.id}
        coverUrl={track.coverUrl}
        className="w-24 shrink-0 md:w-40"
      />
      <div className="min-w-0 flex-1">
        <p className="type-kicker">Week {track.weekNumber}</p>
        <h2 className="type-title text-[2.125rem] md:text-56">
          <Link href={`/track/${track.id}`}>{track.title}</Link>
        </h2>
        <p role="status" className="mt-1.5 text-16 text-text-2">
          {isPlaying ? `Continuing from ${time}, in full` : `Press play to continue from ${time}`}
        </p>
      </div>
      <PlayButton
        size="xl"
        label={isPlaying ? 'Pause' : `Continue from ${time}`}
        isPlaying={isPlaying}
        onClick={player.togglePlay}
      />
    </section>
  );
}
