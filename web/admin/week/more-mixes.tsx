import { Link } from 'wouter';
import type { Week, WeekTrack } from '#contract/admin/week.ts';
import { formatPublicHour } from '#web/features/tracks/early-access.tsx';
import { formatCount, formatDayAndTime } from '#web/lib/format/format.ts';
import { useOpenedAt } from '#web/lib/format/now.ts';

function describeMix(
  { status, stage, progress, publishAt, plays }: WeekTrack,
  now: number,
): string {
  if (status === 'failed') return 'Failed';
  if (status === 'processing') return `Processing, ${progress}%`;
  if (stage === 'draft') return 'Draft';
  const at = publishAt ?? 0;
  if (stage === 'out') return `Out since ${formatDayAndTime(at)} · ${formatCount(plays, 'play')}`;
  return stage === 'early'
    ? `Premium members hear it already, everyone else on ${formatPublicHour(at, now)}`
    : `Scheduled for ${formatPublicHour(at, now)}`;
}

/** The other mixes of this week, and what comes next. */
export function MoreMixes({ week: { staged, releases, coming } }: { week: Week }) {
  const openedAt = useOpenedAt();
  const others = [...releases.toReversed(), ...coming].filter(({ id }) => id !== staged?.id);
  if (others.length === 0) return null;
  return (
    <ul aria-label="More mixes" className="bg-surface px-4 @3xl/content:px-[22px]">
      {others.map((track) => (
        <li
          key={track.id}
          data-week={track.weekNumber}
          className="border-t border-line first:border-0"
        >
          <Link
            href={`/admin?mix=${track.id}`}
            className="flex min-h-14 flex-wrap items-center gap-x-4 py-2 hover:underline"
          >
            <span className="type-numeral-small w-8 text-28 text-week">
              <span className="sr-only">Week </span>
              {track.weekNumber}
            </span>
            <strong className="min-w-0 font-semibold break-words">{track.title}</strong>
            <span
              className={`text-13 ${track.status === 'failed' ? 'text-danger' : 'text-text-2'}`}
            >
              {describeMix(track, openedAt)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
