import type { Track } from '#contract/tracks.ts';
import { readOffers } from '#web/lib/store/boot.ts';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { buttonClass, LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { ProgressMark } from '#web/features/tracks/track-progress.tsx';
import { TrackList } from '#web/features/tracks/track-list.tsx';
import { trackPagesQuery, useTrackPages } from '#web/features/tracks/track-pages.ts';
import {
  PlaysColumn,
  TrackNote,
  TrackRow,
  WeekLead,
  type TrackRowProps,
} from '#web/features/tracks/track-row.tsx';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { facetsQuery } from '#web/features/tracks/api.ts';
import type { Visit } from '#web/router/route.ts';
import {
  LibraryFilters,
  parseLibraryFilter,
  useLibraryFilter,
  type LibraryFilter,
} from './library-filter.tsx';

export const listQueries = ({ search }: Visit) => [
  libraryQuery(parseLibraryFilter((name) => search.get(name))),
  facetsQuery,
];

const libraryQuery = (filter: LibraryFilter) => trackPagesQuery('GET /api/tracks', filter);

export function Page() {
  const [filter, change] = useLibraryFilter();
  const { user } = useCurrentUser();
  const { year } = useThisWeek();
  const pages = useTrackPages(libraryQuery(filter));
  return (
    <>
      <PageHead
        title="Library"
        lead="Every mix, by year and week."
        end={
          <div className="flex flex-wrap gap-2">
            <LinkButton href={`/year/${year}`} variant="line">
              Your year
            </LinkButton>
            <LinkButton href="/playlists" variant="line">
              Playlists
            </LinkButton>
          </div>
        }
      />
      <LibraryFilters
        filter={filter}
        onChange={change}
        canDownload={hasFullAccess(user) && readOffers().mp3}
      />
      <div className="px-gutter pt-6">
        <TrackList
          label="Library"
          pages={pages}
          headingOf={yearOf}
          hasLead
          renderRow={renderWeekRow}
          empty={<EmptyLibrary filter={filter} onClear={() => change(NO_FILTER)} />}
        />
      </div>
    </>
  );
}

const NO_FILTER = { state: undefined, genre: undefined, series: undefined, year: undefined };

const yearOf = (track: Track): string => String(track.year);

/** People look for a week here, so it comes first. */
const renderWeekRow = (row: TrackRowProps) => (
  <TrackRow
    {...row}
    lead={<WeekLead track={row.track} />}
    note={<TrackNote track={row.track} hasWeek />}
    facts={
      <>
        <ProgressMark track={row.track} />
        <PlaysColumn track={row.track} />
      </>
    }
  />
);

function EmptyLibrary({ filter, onClear }: { filter: LibraryFilter; onClear: () => void }) {
  const { state, genre, series, year } = filter;
  if (!state && !genre && !series && !year)
    return (
      <EmptyState title="Nothing here yet" text="Every mix appears here once it’s published." />
    );
  const texts = {
    listened: ['Nothing listened to yet', 'Mixes you play show up here.'],
    missed: ['You’re all caught up', 'You’ve listened to every mix in this list.'],
    downloaded: ['No downloads yet', 'Mixes you download show up here.'],
  } as const;
  const [title, text] = state ? texts[state] : ['No mixes match', 'Try a different genre or year.'];
  return (
    <EmptyState
      glyph="nothing"
      title={title}
      text={text}
      action={
        <button type="button" className={buttonClass({ variant: 'line' })} onClick={onClear}>
          Show all mixes
        </button>
      }
    />
  );
}
