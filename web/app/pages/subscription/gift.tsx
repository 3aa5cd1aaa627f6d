import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { giftQuery, redeemMutation } from '#web/features/billing/api.ts';
import { GiftPoster } from '#web/features/billing/gift-poster.tsx';
import { describeGift, describeRedeemed } from '#web/features/billing/gift-words.ts';
import { useMoment } from '#web/features/billing/use-moment.ts';
import { ApiError, describeFailure } from '#web/lib/api.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';
import { EmptyPage } from '#web/app/empty-page.tsx';

/** What somebody gave; it is taken by a press, never by opening the link. */
export function GiftPage() {
  const moment = useMoment();
  const { token = '' } = useParams();
  const gift = useQuery(giftQuery(token));
  const redeem = useMutation(redeemMutation(useQueryClient()));
  if (!gift.data && gift.error)
    return <GiftProblem error={gift.error} onRetry={() => void gift.refetch()} />;
  if (!gift.data)
    return (
      <div role="status" aria-label="Loading the gift" className="px-gutter pt-8">
        <TextSkeleton />
      </div>
    );
  const { months, from, isRedeemed } = gift.data;
  const isTaken = isRedeemed || isCode(redeem.error, 'gift_redeemed');
  if (redeem.data)
    return (
      <GiftPoster
        title="It is yours"
        text={describeRedeemed(redeem.data, moment)}
        action={
          <Link href="/" className={buttonClass({ size: 'lg' })}>
            Go to this week
          </Link>
        }
      />
    );
  if (isTaken) return <TakenGift />;
  return (
    <GiftPoster
      title="A gift for you"
      text={describeGift(months, from)}
      action={
        <>
          {redeem.isError && (
            <Notice tone="danger" title="The gift could not be taken">
              {describeFailure(redeem.error, 'Check the connection and try again.')}
            </Notice>
          )}
          <Button
            size="lg"
            aria-disabled={redeem.isPending}
            onClick={() => void (redeem.isPending || redeem.mutate(token))}
          >
            {redeem.isPending ? 'One moment…' : 'Take the gift'}
          </Button>
        </>
      }
    />
  );
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code;

function TakenGift() {
  return (
    <EmptyPage
      title="Gift"
      empty={{
        glyph: 'locked',
        title: 'This gift has been taken',
        children: 'A gift can be taken once. If it was you, it is on your subscription page.',
        action: (
          <Link href="/subscription" className={buttonClass({ variant: 'line' })}>
            Your subscription
          </Link>
        ),
      }}
    />
  );
}

function GiftProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyPage
        title="Gift"
        empty={{
          glyph: 'nothing',
          title: 'There is no such gift',
          children: 'Check that the link is complete, or ask who sent it for a new one.',
          action: (
            <Link href="/" className={buttonClass({ variant: 'line' })}>
              Go to this week
            </Link>
          ),
        }}
      />
    );
  return (
    <EmptyPage
      title="Gift"
      empty={{
        glyph: 'broken',
        title: 'The gift could not be loaded',
        children: 'It is not lost. Check the connection and try again.',
        action: (
          <Button variant="line" onClick={onRetry}>
            Try again
          </Button>
        ),
      }}
    />
  );
}
