import type { ReactNode } from 'react';
import { joinNames } from '#contract/artists/artist-names.ts';
import type { CatalogueTrack } from '#contract/admin/catalogue.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { formatNumber } from '#web/lib/format/format.ts';
import { describeFiles, describeFigures, describeTrackState } from './describe-track.ts';

type CatalogueRowProps = {
  track: CatalogueTrack;
  timeZone: string;
  /** Before the sleeve, such as a checkbox. */
  start?: ReactNode;
  /** Instead of the title. */
  head?: ReactNode;
  end?: ReactNode;
  hasFiles?: boolean;
};

export function CatalogueRow({
  track,
  timeZone,
  start,
  head,
  end,
  hasFiles = false,
}: CatalogueRowProps) {
  const isBad =
    track.state === 'failed' || (track.failure !== null && track.state !== 'processing');
  const facts = [
    joinNames(track.artists),
    `Week ${track.weekNumber}, ${track.year}`,
    track.genre,
    track.duration > 0 && formatDuration(track.duration),
  ];
  return (
    <li
      data-week={track.weekNumber}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3 @4xl/content:flex-nowrap"
    >
      {start}
      <span className="w-14 shrink-0">
        <Sleeve week={track.weekNumber} trackId={track.id} coverUrl={track.coverUrl} />
      </span>
      <div className="min-w-0 flex-1 basis-[9rem]">
        {head ?? <strong className="block truncate text-16 font-semibold">{track.title}</strong>}
        <span className="block truncate type-meta">
          <Facts>{facts.filter(Boolean)}</Facts>
        </span>
        <span className={`block text-13 ${isBad ? 'text-danger' : 'text-text-2'}`}>
          {describeTrackState(track, timeZone)}
          {isBad && track.state !== 'failed' && `. ${track.failure ?? ''}`}
        </span>
        {track.isSubscriberOnly && (
          <span className="mt-1 block">
            <Tag>Subscribers only</Tag>
          </span>
        )}
        {hasFiles && track.files.length > 0 && (
          <span className="block text-12 text-text-3">{describeFiles(track)}</span>
        )}
      </div>
      <dl className="flex flex-wrap justify-between gap-x-2 @4xl/content:grid @max-4xl/content:order-last @max-4xl/content:w-full @4xl/content:grid-cols-[repeat(4,4.5rem)] @4xl/content:text-right">
        {describeFigures(track).map(({ label, value }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-12 text-text-3">{label}</dt>
            <dd className="font-semibold tabular-nums">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {end}
    </li>
  );
}
