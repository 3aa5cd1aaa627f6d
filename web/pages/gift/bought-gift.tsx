import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { BoughtGift } from '#contract/paying/pay-once.ts';
import { nextCheckDelay } from '#web/features/billing/checkout/use-checkout-status.ts';
import { boughtGiftQuery, sendGiftMutation } from '#web/features/billing/pay-once/api.ts';
import { GiftCard } from './gift-card.tsx';
import {
  describeDelivery,
  formatMonths,
  giftStates,
} from '#web/features/billing/pay-once/once-texts.ts';
import { ApiError } from '#web/lib/api/api.ts';
import { copyLink } from '#web/features/sharing/copy-link.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { buildLoadError, EmptyPage } from '#web/ui/empty-state.tsx';
import { FieldFrame, inputClass } from '#web/ui/forms/field.tsx';
import { Printer } from '#web/ui/icons.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';

const isWaiting = (gift: { state: string } | null | undefined): boolean =>
  gift?.state === 'open' || gift?.state === 'pending';

/** Whoever has its address is its buyer: no account is needed. */
export function Page() {
  const { reference = '' } = useParams();
  const { data, error, refetch, isFetching } = useQuery({
    ...boughtGiftQuery(reference),
    // Until the payment is decided, more and more slowly.
    refetchInterval: ({ state }) =>
      isWaiting(state.data) && (nextCheckDelay(state.dataUpdateCount) ?? false),
  });
  if (!data && error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div role="status" aria-label="Loading the gift" className="px-gutter pt-8">
        <TextSkeleton />
      </div>
    );
  if (data.state === 'paid' && data.url !== null)
    return <PaidGift reference={reference} gift={data} url={data.url} />;
  const { title, text } = giftStates[data.state === 'paid' ? 'pending' : data.state];
  return (
    <>
      <PageHead title={data.state === 'pending' ? 'On its way' : 'Your gift'} />
      <div className="flex flex-col items-start gap-3 px-gutter pt-8">
        <div role="status">
          <h2 className="type-section text-28">{title}</h2>
          <p className="mt-2.5 max-w-[48ch] text-text-2">{text}</p>
          <p className="mt-2.5 max-w-[48ch] text-text-2">
            {formatMonths(data.months)} for {formatMoney(data.amount, data.currency)}.
          </p>
        </div>
        <p className="mt-2 flex flex-wrap gap-2.5">
          {isWaiting(data) && (
            <Button variant="line" aria-disabled={isFetching} onClick={() => void refetch()}>
              {isFetching ? 'Checking…' : 'Check again'}
            </Button>
          )}
          {data.state !== 'pending' && (
            <LinkButton href="/give" variant={isWaiting(data) ? 'quiet' : 'primary'}>
              Start again
            </LinkButton>
          )}
          <LinkButton href="/" variant="quiet">
            Hear this week’s mix
          </LinkButton>
        </p>
      </div>
    </>
  );
}

type PaidGiftProps = { reference: string; gift: BoughtGift; url: string };

function PaidGift({ reference, gift, url }: PaidGiftProps) {
  const send = useMutation({
    ...sendGiftMutation(useQueryClient(), reference),
    onError: (error) => showErrorToast(error, 'Try again later.', 'Couldn’t send it'),
  });
  const isSent = gift.recipient !== null && gift.recipient.sentAt !== null;
  const to = isSent ? gift.recipient?.email : gift.email;
  const sendAgain = () => {
    if (send.isPending) return;
    send.mutate(undefined, { onSuccess: () => showToast({ title: `Sent to ${to}` }) });
  };
  return (
    <>
      <div className="print:hidden">
        <PageHead title="It’s ready to give" lead={describeDelivery(gift)} />
      </div>
      <div className="grid gap-10 px-gutter pt-8 @4xl/content:grid-cols-[minmax(0,1fr)_420px] print:block print:p-0">
        <div className="flex max-w-[560px] flex-col gap-5 print:hidden">
          <FieldFrame
            label="The link to give"
            hint="Whoever opens it first gets the gift. We’ve e-mailed you this page."
          >
            {(control) => <input {...control} readOnly value={url} className={inputClass} />}
          </FieldFrame>
          <p className="flex flex-wrap gap-2.5">
            <Button onClick={() => void copyLink(url)}>Copy link</Button>
            <Button variant="line" onClick={() => window.print()}>
              <Printer />
              Print the card
            </Button>
          </p>
          <p className="flex flex-wrap gap-2.5">
            {!gift.isRedeemed && to && (
              <Button variant="line" aria-disabled={send.isPending} onClick={sendAgain}>
                {isSent ? `E-mail it to ${to} again` : 'E-mail me this page again'}
              </Button>
            )}
            <LinkButton href={`/give/${reference}/invoice`} variant="line">
              Invoice
            </LinkButton>
          </p>
          <p className="text-13 text-text-2">
            {formatMonths(gift.months)}, paid once: {formatMoney(gift.amount, gift.currency)}. If
            they already have Premium, it starts when their time ends.
          </p>
        </div>
        <GiftCard gift={gift} url={url} />
      </div>
    </>
  );
}

function Problem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyPage
        pageTitle="Your gift"
        glyph="nothing"
        title="We can’t find that gift"
        text="Check that you have the whole address from our e-mail."
        link={{ href: '/give', label: 'Give Premium' }}
      />
    );
  const text = 'It’s still there. Check your connection and try again.';
  return (
    <EmptyPage
      pageTitle="Your gift"
      {...buildLoadError('Couldn’t load your gift', onRetry, text)}
    />
  );
}
