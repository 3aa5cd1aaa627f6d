import { Link } from 'wouter';
import type { UsageOutlook } from '#contract/admin/usage-reports.ts';
import { formatCount, formatNumber } from '#web/lib/format/format.ts';
import { ChevronDown } from '#web/ui/icons.ts';
import { SectionHead } from '#web/ui/page-head.tsx';
import { gapWords } from './report-words.ts';

type Gap = UsageOutlook['gaps'][number];

/** What a report would lack, each with the pages where that is mended. */
export function GapList({ gaps }: Pick<UsageOutlook, 'gaps'>) {
  return (
    <section aria-labelledby="gaps">
      <SectionHead id="gaps" title="Before you report" />
      {gaps.length === 0 ? (
        <p className="text-text-2">Nothing is missing.</p>
      ) : (
        <ul className="rounded-panel bg-surface">
          {gaps.map((gap) => (
            <li key={gap.gap} className="border-t border-line first:border-0">
              <GapDetails gap={gap} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const placeOf = (gap: Gap['gap'], id: string): string =>
  gap === 'no-tracklist' ? `/admin/tracks/edit/${id}` : `/admin/tracks/${id}/rights`;

function GapDetails({ gap: { gap, count, trackCount, tracks } }: { gap: Gap }) {
  const words = gapWords[gap];
  const isOfMixes = gap === 'no-tracklist' || gap === 'replaced';
  return (
    <details className="group">
      <summary className="flex min-h-14 cursor-pointer items-center gap-3 px-4 py-2.5 hover:bg-raised @3xl/content:px-5">
        <ChevronDown className="size-4 shrink-0 -rotate-90 text-text-3 group-open:rotate-0" />
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">{words.title}</span>
          <span className="block text-13 text-text-2">{words.text}</span>
        </span>
        <span className="shrink-0 text-right text-13 tabular-nums">
          {words.count(count)}
          {!isOfMixes && (
            <span className="block text-text-2">{formatCount(trackCount, 'mix', 'mixes')}</span>
          )}
        </span>
      </summary>
      <ul className="px-4 pb-3 pl-11 @3xl/content:pl-12">
        {tracks.map((track) => (
          <li
            key={track.id}
            className="flex flex-wrap items-center justify-between gap-x-4 text-13"
          >
            <span className="min-w-0">
              {track.isDeleted || track.past === track.count ? (
                <span className="inline-flex min-h-11 items-center text-text-2 md:min-h-9">
                  {track.title}
                  {track.isDeleted && ' (deleted)'}
                </span>
              ) : (
                <Link
                  href={placeOf(gap, track.id)}
                  className="inline-flex min-h-11 items-center underline md:min-h-9"
                >
                  {track.title}
                </Link>
              )}
            </span>
            <span className="text-text-2 tabular-nums">
              Week {track.weekNumber}, {track.year}
              {!isOfMixes && ` · ${words.count(track.count)}`}
              {track.past > 0 &&
                ` · ${track.past === track.count ? '' : `${formatNumber(track.past)} `}before its audio was replaced`}
            </span>
          </li>
        ))}
        {tracks.some(({ past }) => past > 0) && (
          <li className="py-1.5 text-13 text-text-2">
            The tracklist of audio that was replaced can’t be edited any more. Correct its
            recordings in the{' '}
            <Link href="/admin/rights" className="underline">
              list of recordings
            </Link>
            ; entries of it that name none stay as they are.
          </li>
        )}
        {trackCount > tracks.length && (
          <li className="py-1.5 text-13 text-text-2">
            And {formatNumber(trackCount - tracks.length)} more.
          </li>
        )}
      </ul>
    </details>
  );
}
