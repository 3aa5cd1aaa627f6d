import type { BoughtGift } from '#contract/paying/pay-once.ts';
import { boot } from '#web/lib/store/boot.ts';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';
import { formatMonths } from '#web/features/billing/pay-once/once-texts.ts';

/** A sheet of paper in either theme; printed, it is one A5 page. */
export function GiftCard({ gift, url }: { gift: BoughtGift; url: string }) {
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
