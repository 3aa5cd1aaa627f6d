import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { AdminMoment } from '#contract/admin/moments.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { momentPagesQuery, useHide, type MomentFilter } from './api.ts';

const linkClass =
  'underline decoration-line-strong underline-offset-4 hover:decoration-text wrap-anywhere';

/** Why members don't see it; undefined if they do. */
function findReason({ isHidden, isDeleted, author, track }: AdminMoment): string | undefined {
  if (isDeleted) return 'Hidden, then deleted by its author';
  if (isHidden) return 'Hidden';
  if (author.isDisabled) return 'Account disabled';
  if (author.ban === 'lines') return 'Member banned, all hidden';
  return track.isOff ? 'Off for this mix' : undefined;
}

function Row({ moment }: { moment: AdminMoment }) {
  const { id, at, text, createdAt, isHidden, isDeleted, author, track } = moment;
  const hide = useHide(id);
  const reason = findReason(moment);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line px-4 py-3 first:border-0 @3xl/content:px-5">
      <div className="min-w-0 flex-1 basis-[14rem]">
        <p className="font-medium wrap-anywhere">
          {text && <bdi className={reason ? 'text-text-2' : ''}>{text}</bdi>}{' '}
          {reason && <Tag>{reason}</Tag>}
          {author.ban === 'writing' && <Tag>Member banned</Tag>}
        </p>
        <p className="text-13 text-text-2">
          <Facts>
            <Link href={`/admin/moments?user=${author.id}`} className={linkClass}>
              {author.username}
            </Link>
            <span>
              <Link href={`/admin/moments?track=${track.id}`} className={linkClass}>
                {track.title}
              </Link>{' '}
              at {formatDuration(at)}
            </span>
            <TimeAgo at={createdAt} />
          </Facts>
        </p>
      </div>
      {!isDeleted && (
        <Button
          variant="line"
          size="sm"
          disabled={hide.isPending}
          aria-label={`${isHidden ? 'Show again' : 'Hide'}: ${text}`}
          onClick={() => hide.mutate(!isHidden)}
        >
          {isHidden ? 'Show again' : 'Hide'}
        </Button>
      )}
    </li>
  );
}

export function MomentList({ filter }: { filter: MomentFilter }) {
  return (
    <PagedList
      label="Moments"
      query={useInfiniteQuery(momentPagesQuery(filter))}
      failed="Couldn’t load moments."
      empty={
        <EmptyState
          glyph="nothing"
          title={filter.q ? 'No moments found' : 'No moments yet'}
          text={
            filter.q
              ? 'No member or mix with moments matches.'
              : 'Lines that subscribers leave appear here, the newest first.'
          }
        />
      }
      renderItem={(moment) => <Row key={moment.id} moment={moment} />}
    />
  );
}
