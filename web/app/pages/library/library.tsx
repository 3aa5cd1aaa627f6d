import { Link } from 'wouter';
import type { Track } from '#contract/tracks.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { HeardMark } from '#web/features/tracks/track-progress.tsx';
import { TrackList } from '#web/features/tracks/track-list.tsx';
import { trackPagesQuery, useTrackPages } from '#web/features/tracks/track-pages.ts';
import {
  PlaysColumn,
  TrackNote,
  TrackRow,
  type TrackRowProps,
} from '#web/features/tracks/track-row.tsx';
import { LibraryFilters } from './library-filter.tsx';
import { useLibraryFilter, type LibraryFilter } from './library-filter.ts';

export function LibraryPage() {
  const [filter, change] = useLibraryFilter();
  const { user } = useCurrentUser();
  const pages = useTrackPages(trackPagesQuery('/api/tracks', filter));
  return (
    <>
      <PageHead
        title="Library"
        lead="Everything that was published, by year and week."
        end={
          <Link href="/playlists" className={buttonClass({ variant: 'line' })}>
            Playlists
          </Link>
        }
      />
      <LibraryFilters filter={filter} onChange={change} canDownload={canDownload(user)} />
      <div className="px-gutter pt-6">
        <TrackList
          label="Library"
          pages={pages}
          headingOf={yearOf}
          renderRow={renderWeekRow}
          empty={<NothingHere filter={filter} onClear={() => change(NO_FILTER)} />}
        />
      </div>
    </>
  );
}

const NO_FILTER = { state: undefined, genre: undefined, year: undefined };

const canDownload = (user: { isSubscriber: boolean; isAdmin: boolean } | null): boolean =>
  user !== null && (user.isSubscriber || user.isAdmin);

const yearOf = (track: Track): string => String(track.year);

/** The week is what one looks for here, so it comes first. */
const renderWeekRow = (row: TrackRowProps) => (
  <TrackRow
    {...row}
    lead={
      <span
        aria-hidden
        className="w-10 shrink-0 type-numeral-small text-[34px] md:w-14 md:text-[40px]"
      >
        {row.track.weekNumber}
      </span>
    }
    note={<TrackNote track={row.track} hasWeek />}
    facts={
      <>
        <HeardMark track={row.track} />
        <PlaysColumn track={row.track} />
      </>
    }
  />
);

function NothingHere({ filter, onClear }: { filter: LibraryFilter; onClear: () => void }) {
  const { state, genre, year } = filter;
  if (!state && !genre && !year)
    return (
      <EmptyState
        title="The shelves are still empty"
        action={
          <Link href="/" className={buttonClass({ variant: 'line' })}>
            Go to this week
          </Link>
        }
      >
        Everything that is published gets its place here, by year and week.
      </EmptyState>
    );
  const words = {
    listened: ['Nothing listened to here yet', 'Play a mix and it is found here again.'],
    missed: ['You have missed nothing', 'Of these you have heard something of every mix.'],
    downloaded: ['Nothing downloaded here yet', 'What you download is found here again.'],
  } as const;
  const [title, text] = state
    ? words[state]
    : ['No mix fits', 'Try another genre or another year.'];
  return (
    <EmptyState
      glyph="nothing"
      title={title}
      action={
        <button type="button" className={buttonClass({ variant: 'line' })} onClick={onClear}>
          Show everything
        </button>
      }
    >
      {text}
    </EmptyState>
  );
}
