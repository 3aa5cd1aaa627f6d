import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { StagedTrack, Week } from '#contract/admin/week.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { formatPublicHour } from '#web/features/tracks/early-access.tsx';
import { formatCount, formatNumber, formatPercent } from '#web/lib/format/format.ts';
import { useOpenedAt } from '#web/lib/format/now.ts';
import { countMails, proposeRelease } from './release-words.ts';

type Cell = {
  title: string;
  /** From 0 to 1. */
  done: number;
  text: ReactNode;
  href: string;
};

function describeAudio({ state, progress, duration, previewStart }: StagedTrack): string {
  if (state === 'failed') return 'It couldn’t be used.';
  if (duration === 0) return 'Processing';
  const preview =
    previewStart === null
      ? ''
      : `, preview ${formatDuration(previewStart)}–${formatDuration(Math.min(previewStart + PREVIEW_SECONDS, duration))}`;
  const work = progress < 100 ? `, encoding ${progress}%` : '';
  return `${formatDuration(duration)}${preview}${work}`;
}

function describeTracklist({ chapters }: StagedTrack): string {
  if (chapters.length === 0) return 'No tracklist yet';
  const timed = chapters.filter(({ at }) => at !== null).length;
  const count = formatCount(chapters.length, 'track');
  return timed === chapters.length ? count : `${count}, ${timed} with times`;
}

/** Without a mail server a release may reach nobody. */
const isTold = ({ recipients: { told, delivery } }: StagedTrack): boolean =>
  delivery !== 'none' || told.mails + told.devices > 0;

function describeTelling(track: StagedTrack): string {
  const { recipients, isSubscriberOnly, stage } = track;
  const { told, devices, delivery } = recipients;
  const devicesNow = isSubscriberOnly ? devices.subscribers : devices.all;
  const isDone = stage === 'out' && told.mails + told.devices > 0;
  const mails = isDone ? told.mails : countMails(recipients, track);
  const notices = isDone ? told.devices : devicesNow;
  const list = [
    ...(delivery === 'none'
      ? ['No mail server, so no e-mails']
      : [`E-mail to ${formatNumber(mails)}`]),
    ...(notices > 0 ? [`notice to ${formatCount(notices, 'device')}`] : []),
  ];
  return list.join(' · ');
}

function listCells(track: StagedTrack, week: Week, now: number): Cell[] {
  const { id, progress, state, duration, chapters, description, publishAt, stage } = track;
  const { outcome } = week;
  const edit = `/admin/tracks/edit/${id}`;
  const isOut = stage === 'out' && state === 'published';
  const own = outcome?.id === id ? outcome : null;
  const at = publishAt ?? proposeRelease(track, week.rhythm, now).at;
  return [
    {
      title: 'Audio',
      done: state === 'failed' ? 0 : duration > 0 && progress === 100 ? 1 : progress / 100,
      text: describeAudio(track),
      href: edit,
    },
    {
      title: 'Tracklist',
      done: chapters.length > 0 ? 1 : 0,
      text: describeTracklist(track),
      href: edit,
    },
    {
      title: 'Words',
      done: description === '' ? 0 : 1,
      text: description === '' ? 'No description yet' : description,
      href: edit,
    },
    {
      title: 'Tell people',
      done: isOut && isTold(track) ? 1 : 0,
      text: describeTelling(track),
      href: edit,
    },
    {
      title: 'How it went',
      done: own && own.started > 0 ? 1 : 0,
      text: own
        ? [
            formatCount(own.plays, 'play'),
            ...(own.finished === null ? [] : [`${formatPercent(own.finished)} to the end`]),
          ].join(', ')
        : `From ${formatPublicHour(at, now)}`,
      href: `/admin/reports?${new URLSearchParams({ report: 'completion', track: id })}`,
    },
  ];
}

/** What is ready of a mix: a bar each, filled as far as it is. */
export function ReadyCells({ track, week }: { track: StagedTrack; week: Week }) {
  const cells = listCells(track, week, useOpenedAt());
  return (
    <ol
      data-week={track.weekNumber}
      aria-label="What is ready"
      className="grid gap-0.5 @lg/content:grid-cols-2 @3xl/content:grid-cols-5 @lg/content:@max-3xl/content:[&>:last-child]:col-span-2"
    >
      {cells.map(({ title, done, text, href }) => (
        <li key={title} className="min-w-0 bg-surface">
          <Link
            href={href}
            className="flex h-full min-h-11 flex-col gap-1 p-4 hover:bg-raised @5xl/content:p-[18px]"
          >
            <span
              aria-hidden
              className="mb-1.5 block h-3 rounded-[1.5px]"
              style={{
                backgroundImage: `linear-gradient(90deg, var(--week-fill) ${(done * 100).toFixed(0)}%, transparent 0)`,
                boxShadow: `inset 0 0 0 1.5px ${done === 1 ? 'var(--week)' : 'var(--week-rest)'}`,
              }}
            />
            <strong className="font-semibold">
              {title}
              <span className="sr-only">{done === 1 ? ', done: ' : ', to do: '}</span>
            </strong>
            <span className="line-clamp-2 text-13 break-words text-text-2">{text}</span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
