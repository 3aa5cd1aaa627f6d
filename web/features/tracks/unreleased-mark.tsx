import { Link } from 'wouter';
import type { Track } from '#contract/tracks.ts';
import { formatDayAndTime } from '#web/lib/format/format.ts';
import { Dot } from '#web/ui/facts.tsx';
import { Tag } from '#web/ui/tag.tsx';

/** Tells administrators that nobody else can see this page, and until when. */
export function UnreleasedMark({ track }: { track: Track }) {
  const { id, unreleased, publishedAt } = track;
  if (!unreleased) return null;
  return (
    <p role="status" className="mb-3 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-text">
      <Tag isWeek>
        {unreleased === 'draft' ? (
          'Draft'
        ) : (
          <span>
            Scheduled
            <Dot />
            public on {formatDayAndTime(publishedAt)}
          </span>
        )}
      </Tag>
      <span className="text-13 text-text-2">Only administrators can see and hear it.</span>
      <Link href={`/admin/tracks/edit/${id}`} className="text-13 underline underline-offset-4">
        Edit
      </Link>
    </p>
  );
}
