import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { searchPath } from '#web/features/search/api.ts';
import { clearRecentSearches, listRecentSearches } from '#web/features/search/recent-searches.ts';
import { facetsQuery, tracksQuery } from '#web/features/tracks/api.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Clock } from '#web/ui/icons.ts';
import { SectionHead } from '#web/ui/page-head.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const newestQuery = tracksQuery({ limit: 24 });

export const startQueries = [facetsQuery, newestQuery];

/** Before the first search: the user's recent searches, and what there is to find. */
export function SearchStart() {
  const { user } = useCurrentUser();
  const facets = useQuery(facetsQuery);
  const newest = useQuery(newestQuery);
  const genres = facets.data?.genres ?? [];
  const weeks = listWeeks(newest.data?.items ?? []);
  const isLoading = facets.isPending || newest.isPending;
  return (
    <div className="flex flex-col gap-9">
      {user && <RecentSearches user={user} />}
      {isLoading && <StartSkeleton />}
      {!isLoading && genres.length === 0 && weeks.length === 0 && (
        <EmptyState
          title="What are you looking for?"
          text="Search by title, week (“week 12”), genre or artist."
        />
      )}
      {genres.length > 0 && (
        <section aria-labelledby="genres">
          <SectionHead id="genres" title="Genres" />
          <ul className="flex flex-wrap gap-2.5">
            {genres.map((genre) => (
              <li key={genre} className="max-w-full">
                <LinkButton
                  href={searchPath(genre)}
                  variant="line"
                  className="max-w-full whitespace-normal!"
                >
                  {genre}
                </LinkButton>
              </li>
            ))}
          </ul>
        </section>
      )}
      {weeks.length > 0 && (
        <section aria-labelledby="weeks">
          <SectionHead id="weeks" title="Weeks" />
          <ul className={weekGridClass}>
            {weeks.map((week) => (
              <WeekTile key={`${week.year}/${week.weekNumber}`} {...week} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

type Week = Pick<Track, 'year' | 'weekNumber'> & { titles: string[] };

/** The weeks of these tracks, newest first. */
function listWeeks(tracks: readonly Track[]): Week[] {
  const weeks = new Map<string, Week>();
  for (const { year, weekNumber, title } of tracks) {
    const key = `${year}/${weekNumber}`;
    const titles = [...(weeks.get(key)?.titles ?? []), title];
    weeks.set(key, { year, weekNumber, titles });
  }
  return [...weeks.values()];
}

const weekGridClass = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.25rem),1fr))] gap-2.5';

function WeekTile({ year, weekNumber, titles: [first, ...others] }: Week) {
  return (
    <li data-week={weekNumber}>
      <Link
        href={searchPath(`week ${weekNumber} ${year}`)}
        className="group flex h-full flex-col gap-3 rounded-panel bg-week-wash p-3.5 text-week hover:bg-week-wash-2"
      >
        <Numeral value={weekNumber} isDecorative size="4.5rem" />
        <span className="mt-auto min-w-0">
          <span className="block font-semibold text-text group-hover:underline group-hover:underline-offset-4">
            Week {weekNumber}
          </span>
          <span className="block truncate type-meta">
            {first}
            {others.length > 0 && ` and ${others.length} more`}
          </span>
        </span>
      </Link>
    </li>
  );
}

function RecentSearches({ user }: { user: User }) {
  const [, setCleared] = useState(false);
  const recent = listRecentSearches(user.id);
  if (recent.length === 0) return null;
  return (
    <section aria-labelledby="recent">
      <SectionHead
        id="recent"
        title="Recent searches"
        end={
          <Button
            variant="quiet"
            className="-mr-3"
            onClick={() => {
              clearRecentSearches(user.id);
              setCleared(true);
            }}
          >
            Clear recent searches
          </Button>
        }
      />
      <ul className="gap-x-10 @3xl/content:columns-2">
        {recent.map((text) => (
          <li key={text} className="break-inside-avoid border-b border-line">
            <Link
              href={searchPath(text)}
              className="flex min-h-12 items-center gap-3 font-medium hover:underline hover:underline-offset-4"
            >
              <Clock className="size-[18px] shrink-0 text-text-3" />
              <span className="truncate">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function StartSkeleton() {
  return (
    <>
      <div className="flex flex-wrap gap-2.5">
        {Array.from({ length: 6 }, (_, i) => (
          <Skeleton key={i} className="h-10 w-28 rounded-pill" />
        ))}
      </div>
      <div className={weekGridClass}>
        {Array.from({ length: 12 }, (_, i) => (
          <Skeleton key={i} className="h-36 rounded-panel" />
        ))}
      </div>
    </>
  );
}
