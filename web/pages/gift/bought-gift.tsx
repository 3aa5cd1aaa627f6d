import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { BoughtGift } from '#contract/paying/pay-once.ts';
import { nextCheckDelay } from '#web/features/billing/checkout/use-checkout-status.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import {
  describeDelivery,
  formatMonths,
  giftStates,
} from '#web/features/billing/pay-once/once-texts.ts';
import { call } from '#web/lib/api/api.ts';
import { copyLink } from '#web/features/sharing/copy-link.ts';
import { formatMoney } from '#web/lib/format/format.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { FieldFrame, inputClass } from '#web/ui/forms/field.tsx';
import { Printer } from '#web/ui/icons.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';
import { boot } from '#web/lib/store/boot.ts';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';

const boughtGiftQuery = (reference: string) =>
  apiQuery('GET /api/bought-gifts/:reference', { params: { reference } });

const isWaiting = (gift: { state: string } | null | undefined): boolean =>
  gift?.state === 'open' || gift?.state === 'pending';

/** Whoever has its address is its buyer: no account is needed. */
export function Page() {
  const { reference = '' } = useParams();
  const query = useQuery({
    ...boughtGiftQuery(reference),
    // Until the payment is decided, more and more slowly.
    refetchInterval: ({ state }) =>
      isWaiting(state.data) && (nextCheckDelay(state.dataUpdateCount) ?? false),
  });
  return (
    <Loaded
      query={query}
      pageTitle="Your gift"
      failed="Couldn’t load your gift"
      text="It’s still there. Check your connection and try again."
      missing={{
        title: 'We can’t find that gift',
        text: 'Check that you have the whole address from our e-mail.',
        link: { href: '/give', label: 'Give Premium' },
      }}
      skeleton={
        <div role="status" aria-label="Loading the gift" className="px-gutter pt-8">
          <TextSkeleton />
        </div>
      }
    >
      {(gift) =>
        gift.state === 'paid' && gift.url !== null ? (
          <PaidGift reference={reference} gift={gift} url={gift.url} />
        ) : (
          <UnpaidGift
            gift={gift}
            isChecking={query.isFetching}
            onCheck={() => void query.refetch()}
          />
        )
      }
    </Loaded>
  );
}

type UnpaidGiftProps = { gift: BoughtGift; isChecking: boolean; onCheck: () => void };

function UnpaidGift({ gift, isChecking, onCheck }: UnpaidGiftProps) {
  const { title, text } = giftStates[gift.state === 'paid' ? 'pending' : gift.state];
  return (
    <>
      <PageHead title={gift.state === 'pending' ? 'On its way' : 'Your gift'} />
      <div className="flex flex-col items-start gap-3 px-gutter pt-8">
        <div role="status">
          <h2 className="type-section text-28">{title}</h2>
          <p className="mt-2.5 max-w-[48ch] text-text-2">{text}</p>
          <p className="mt-2.5 max-w-[48ch] text-text-2">
            {formatMonths(gift.months)} for {formatMoney(gift.amount, gift.currency)}.
          </p>
        </div>
        <p className="mt-2 flex flex-wrap gap-2.5">
          {isWaiting(gift) && (
            <Button variant="line" aria-disabled={isChecking} onClick={onCheck}>
              {isChecking ? 'Checking…' : 'Check again'}
            </Button>
          )}
          {gift.state !== 'pending' && (
            <LinkButton href="/give" variant={isWaiting(gift) ? 'quiet' : 'primary'}>
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
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => call('POST /api/bought-gifts/:reference/send', { params: { reference } }),
    onSuccess: (sent) => client.setQueryData(boughtGiftQuery(reference).queryKey, sent),
    retry: false,
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

/** A sheet of paper in either theme; printed, it is one A5 page. */
function GiftCard({ gift, url }: { gift: BoughtGift; url: string }) {
  const { months, from, words } = gift;
  return (
    <article
      aria-label="Card to print"
      className="gift-card flex aspect-[148/210] w-full max-w-[420px] flex-col bg-[white] text-[black]"
    >
      <div className="aspect-[148/67] shrink-0 pt-6">
        <PosterBars bars={yearShape()} />
      </div>
      <div className="flex grow flex-col px-[7%] pt-[6%] pb-[6%]">
        <p className="type-title text-[2.75rem] leading-none break-words">
          {formatMonths(months)} of {boot.siteName} Premium
        </p>
        {words && (
          <p className="mt-4 text-14 leading-snug break-words whitespace-pre-line">{words}</p>
        )}
        <p className="mt-3 text-14 font-semibold break-words">{from}</p>
        <div className="mt-auto flex items-end gap-4 pt-3">
          <div className="w-[30%] shrink-0 [&_svg]:size-full">
            <QrCode text={url} label="QR code of the gift’s link" />
          </div>
          <p className="min-w-0 text-[0.6875rem] leading-snug break-all">
            <span className="block text-13 font-semibold break-normal">
              A mix every week, in full. Scan the code, or open:
            </span>
            {url}
          </p>
        </div>
      </div>
    </article>
  );
}
