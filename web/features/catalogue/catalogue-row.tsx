import type { ReactNode } from 'react';
import type { CatalogueTrack } from '#contract/catalogue.ts';
import { formatDuration } from '#contract/rules/duration.ts';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { formatNumber } from '#web/lib/format.ts';
import { describeFiles, describeFigures, describeTrackState } from './state-words.ts';

type CatalogueRowProps = {
  mix: CatalogueTrack;
  timeZone: string;
  /** Before the sleeve: a box to tick. */
  start?: ReactNode;
  /** Instead of the title: fields. */
  head?: ReactNode;
  end?: ReactNode;
  hasFiles?: boolean;
};

/** One mix with its state, its figures and its files. */
export function CatalogueRow({
  mix,
  timeZone,
  start,
  head,
  end,
  hasFiles = false,
}: CatalogueRowProps) {
  const isBad = mix.state === 'failed' || (mix.failure !== null && mix.state !== 'processing');
  const facts = [
    `Week ${mix.weekNumber}, ${mix.year}`,
    mix.genre,
    mix.duration > 0 && formatDuration(mix.duration),
  ];
  return (
    <li
      data-week={mix.weekNumber}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3"
    >
      {start}
      <span className="w-14 shrink-0">
        <Sleeve week={mix.weekNumber} coverUrl={mix.coverUrl} />
      </span>
      <div className="min-w-0 flex-1 basis-56">
        {head ?? <strong className="block truncate text-16 font-semibold">{mix.title}</strong>}
        <span className="block truncate type-meta">{facts.filter(Boolean).join(' · ')}</span>
        <span className={`block text-13 ${isBad ? 'text-danger' : 'text-text-2'}`}>
          {describeTrackState(mix, timeZone)}
          {isBad && mix.state !== 'failed' && `. ${mix.failure ?? ''}`}
        </span>
        {hasFiles && mix.files.length > 0 && (
          <span className="block text-12 text-text-3">{describeFiles(mix)}</span>
        )}
      </div>
      {mix.isSubscriberOnly && <Tag>Subscribers</Tag>}
      <dl className="grid grid-cols-4 gap-x-5 text-right max-md:w-full max-md:text-left">
        {describeFigures(mix).map(({ label, value }) => (
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
