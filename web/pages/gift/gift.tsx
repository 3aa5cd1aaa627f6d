import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import type { Api } from '#contract/api.ts';
import type { RouteOutput } from '#contract/route.ts';
import { subscriptionQuery } from '#web/features/billing/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { subscriptionMutation } from '#web/features/billing/subscription-changes.ts';
import {
  describeGift,
  describeGiftCharges,
  describeRedeemedGift,
  useDateContext,
} from '#web/features/billing/subscription-texts.ts';
import { ApiError, call, describeFailure } from '#web/lib/api/api.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { EmptyPage } from '#web/ui/empty-state.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';

/** Opening the link claims nothing; only the button does. */
export function Page() {
  const { token = '' } = useParams();
  return (
    <Loaded
      query={useQuery(apiQuery('GET /api/gifts/:token', { params: { token } }))}
      pageTitle="Gift"
      failed="Couldn’t load your gift"
      text="It’s still there. Check your connection and try again."
      missing={{
        title: 'We can’t find that gift',
        text: 'Check that you have the whole link, or ask the sender for a new one.',
        link: toNewest,
      }}
      renderRefusal={({ code }) =>
        code === 'gift_void' && (
          <EmptyPage
            pageTitle="Gift"
            glyph="locked"
            title="This gift was refunded"
            text="Its link no longer works. Ask the sender about it."
            link={toNewest}
          />
        )
      }
      skeleton={
        <div role="status" aria-label="Loading your gift" className="px-gutter pt-8">
          <TextSkeleton />
        </div>
      }
    >
      {(gift) => <LoadedGift gift={gift} token={token} />}
    </Loaded>
  );
}

const toNewest = { href: '/', label: 'Hear this week’s mix' };

type Gift = RouteOutput<Api['GET /api/gifts/:token']>;

function LoadedGift({ gift, token }: { gift: Gift; token: string }) {
  const dates = useDateContext();
  const { user } = useCurrentUser();
  const subscription = useQuery({ ...subscriptionQuery, enabled: user !== null }).data;
  const redeem = useMutation(
    subscriptionMutation(useQueryClient(), () =>
      call('POST /api/gifts/:token/redeem', { params: { token } }),
    ),
  );
  const { months, from, words, isRedeemed } = gift;
  const isClaimed = isRedeemed || isCode(redeem.error, 'gift_redeemed');
  if (redeem.data)
    return (
      <GiftPoster
        title="It’s yours"
        text={describeRedeemedGift(redeem.data, dates)}
        action={
          <LinkButton href="/" size="lg">
            Hear this week’s mix
          </LinkButton>
        }
      />
    );
  if (isClaimed) return <ClaimedGift />;
  return (
    <GiftPoster
      title="A gift for you"
      text={describeGift(months, from)}
      action={
        <>
          {words && (
            <blockquote className="max-w-[46ch] border-l-2 border-line-strong pl-4 type-lead break-words whitespace-pre-line">
              {words}
            </blockquote>
          )}
          <p className="max-w-[52ch] text-16 text-text-2">
            {subscription ? describeGiftCharges(subscription, dates) : 'Nothing is charged today.'}
          </p>
          {redeem.isError && (
            <Notice tone="danger" title="Couldn’t claim the gift">
              {describeFailure(redeem.error, 'Check your connection and try again.')}
            </Notice>
          )}
          <Button
            size="lg"
            aria-disabled={redeem.isPending}
            onClick={() => void (redeem.isPending || redeem.mutate())}
          >
            {redeem.isPending ? 'One moment…' : 'Claim gift'}
          </Button>
        </>
      }
    />
  );
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code;

function ClaimedGift() {
  return (
    <EmptyPage
      pageTitle="Gift"
      glyph="locked"
      title="This gift has already been claimed"
      text="Gifts can only be claimed once. If you claimed it, you’ll see it on your subscription page."
      link={{ href: '/subscription', label: 'Your subscription' }}
    />
  );
}

type GiftPosterProps = { title: string; text: string; action: ReactNode };

export function GiftPoster({ title, text, action }: GiftPosterProps) {
  return (
    <div className="grid min-h-[calc(100dvh-var(--header)-var(--dock))] grid-rows-[auto_minmax(12rem,1fr)] lg:grid-rows-none lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="flex flex-col items-start gap-6 px-gutter py-8 md:justify-center md:py-12">
        <h1 className="type-title text-[min(4.25rem,18vw)] break-words md:text-[5.5rem]">
          {title}
        </h1>
        <p role="status" className="max-w-[42ch] type-lead md:text-18">
          {text}
        </p>
        {action}
      </div>
      <div className="flex items-end bg-surface pt-10 lg:border-l lg:border-line lg:pt-16">
        <PosterBars bars={yearShape()} />
      </div>
    </div>
  );
}
