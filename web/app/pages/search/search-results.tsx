import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import type { SearchPage, SearchResult } from '#contract/search.ts';
import { searchPath } from '#web/features/search/api.ts';
import { MarkedText } from '#web/features/search/marked-text.tsx';
import { rememberSearch } from '#web/features/search/recent-searches.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { useThisWeek } from '#web/lib/use-this-week.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TrackList } from '#web/features/tracks/track-list.tsx';
import { trackPagesQuery, useTrackPages } from '#web/features/tracks/track-pages.ts';
import { TrackRow } from '#web/features/tracks/track-row.tsx';
import { SearchNote } from './search-note.tsx';

const PAGE_SIZE = 20;

export function SearchResults({ query }: { query: string }) {
  const options = trackPagesQuery('/api/tracks/search', { q: query, limit: PAGE_SIZE });
  const pages = useTrackPages(options);
  const { data: first } = useInfiniteQuery({
    ...options,
    select: ({ pages: [page] }) => page as SearchPage | undefined,
  });
  useRecentSearch(query);
  const terms = first?.terms ?? [];
  return (
    <>
      <Understood query={query} page={first} />
      <TrackList
        label={`Results for ${first?.correctedQuery ?? query}`}
        pages={pages}
        empty={<NothingFound query={query} genres={first?.popularGenres ?? []} />}
        renderRow={(row) => (
          <TrackRow
            {...row}
            title={<MarkedText text={row.track.title} terms={terms} />}
            note={<SearchNote result={row.track as SearchResult} terms={terms} />}
          />
        )}
      />
      <p role="status" className="sr-only">
        {first && describeCount(pages.tracks.length, pages.hasMore)}
      </p>
    </>
  );
}

const describeCount = (count: number, hasMore: boolean): string =>
  `${hasMore ? 'More than ' : ''}${count} ${count === 1 ? 'result' : 'results'}`;

/** How the query was read, where that is not the way it was typed. */
function Understood({ query, page }: { query: string; page: SearchPage | undefined }) {
  if (page?.correctedQuery)
    return (
      <p className="text-text-2">
        Showing results for <QueryLink query={page.correctedQuery} />. Nothing matches “{query}”.
      </p>
    );
  if (page?.suggestedQuery)
    return (
      <p className="text-text-2">
        Did you mean <QueryLink query={page.suggestedQuery} />?
      </p>
    );
  return null;
}

function QueryLink({ query }: { query: string }) {
  return (
    <Link href={searchPath(query)} className="font-semibold text-text underline underline-offset-4">
      {query}
    </Link>
  );
}

function NothingFound({ query, genres }: { query: string; genres: readonly string[] }) {
  const { week, year } = useThisWeek();
  return (
    <>
      <EmptyState glyph="nothing" title={`Nothing for “${query}”`}>
        Check the spelling, try fewer words, or look for a week like “week {week}”.
      </EmptyState>
      <nav aria-label="Suggestions" className="mt-6 flex flex-wrap gap-2.5">
        <Link
          href={searchPath(`week ${week} ${year}`)}
          className={buttonClass({ variant: 'primary' })}
        >
          This week
        </Link>
        {genres.map((genre) => (
          <Link key={genre} href={searchPath(genre)} className={buttonClass({ variant: 'line' })}>
            {genre}
          </Link>
        ))}
      </nav>
    </>
  );
}

/** Kept once its results are asked for, wherever the query came from. */
function useRecentSearch(query: string): void {
  const { user } = useCurrentUser();
  const userId = user?.id;
  useEffect(() => {
    if (userId) rememberSearch(userId, query);
  }, [userId, query]);
}
