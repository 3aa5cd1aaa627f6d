import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { joinNames } from '#contract/artists/artist-names.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { isHit, readWords, type SearchTerm } from '#contract/rules/search-words.ts';
import type { ArtistName } from '#contract/artists/artists.ts';
import type { SearchPage, SearchResult } from '#contract/search.ts';
import { searchPath } from '#web/features/search/api.ts';
import { buildSnippet, HighlightedText } from '#web/features/search/highlighted-text.tsx';
import { saveRecentSearch } from '#web/features/search/recent-searches.ts';
import { describeChapter, trackPath } from '#web/features/search/suggestion-options.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CircleUser } from '#web/ui/icons.ts';
import { Dot } from '#web/ui/facts.tsx';
import { TrackList } from '#web/features/tracks/track-list.tsx';
import { trackPagesQuery, useTrackPages } from '#web/features/tracks/track-pages.ts';
import { TrackRow } from '#web/features/tracks/track-row.tsx';

const PAGE_SIZE = 20;

export const searchQuery = (query: string) =>
  trackPagesQuery('GET /api/tracks/search', { q: query, limit: PAGE_SIZE });

export function SearchResults({ query }: { query: string }) {
  const options = searchQuery(query);
  const pages = useTrackPages(options);
  const { data: first } = useInfiniteQuery({
    ...options,
    select: ({ pages: [page] }) => page,
  });
  useRecentSearch(query);
  const terms = first?.terms ?? [];
  return (
    <>
      <QueryCorrection query={query} page={first} />
      {first?.artists && <FoundArtists artists={first.artists} />}
      <TrackList
        label={`Results for ${first?.correctedQuery ?? query}`}
        source="Search"
        pages={pages}
        empty={<NoResults query={query} genres={first?.popularGenres ?? []} />}
        renderRow={(row) => (
          <TrackRow
            {...row}
            title={<HighlightedText text={row.track.title} terms={terms} />}
            note={<ResultNote result={row.track as SearchResult} terms={terms} />}
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
  `${hasMore ? 'More than ' : ''}${formatCount(count, 'result')}`;

/** Says when the search used a corrected query, or suggests one. */
function QueryCorrection({ query, page }: { query: string; page: SearchPage | undefined }) {
  if (page?.correctedQuery)
    return (
      <p className="text-text-2">
        Showing results for <QueryLink query={page.correctedQuery} />. No matches for “{query}”.
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

/** Artists with such a name, above their mixes. */
function FoundArtists({ artists }: { artists: readonly ArtistName[] }) {
  return (
    <nav aria-label="Artists" className="mb-4 flex flex-wrap gap-2.5">
      {artists.map(({ id, name }) => (
        <LinkButton key={id} href={`/artist/${id}`} variant="line" className="max-w-full">
          <CircleUser />
          <span className="truncate">{name}</span>
        </LinkButton>
      ))}
    </nav>
  );
}

function QueryLink({ query }: { query: string }) {
  return (
    <Link href={searchPath(query)} className="font-semibold text-text underline underline-offset-4">
      {query}
    </Link>
  );
}

function NoResults({ query, genres }: { query: string; genres: readonly string[] }) {
  const { week, year } = useThisWeek();
  return (
    <>
      <EmptyState
        glyph="nothing"
        title={`No results for “${query}”`}
        text={`Check the spelling, try fewer words, or search for a week, such as “week ${week}”.`}
      />
      <nav aria-label="Suggestions" className="mt-6 flex flex-wrap gap-2.5">
        <LinkButton href={searchPath(`week ${week} ${year}`)} variant="primary">
          This week
        </LinkButton>
        {genres.map((genre) => (
          <LinkButton key={genre} href={searchPath(genre)} variant="line">
            {genre}
          </LinkButton>
        ))}
      </nav>
    </>
  );
}

/** Saves every search whose results are shown. */
function useRecentSearch(query: string): void {
  const { user } = useCurrentUser();
  const userId = user?.id;
  useEffect(() => {
    if (userId) saveRecentSearch(userId, query);
  }, [userId, query]);
}

type ResultNoteProps = { result: SearchResult; terms: readonly SearchTerm[] };

/** Under the title: the matching chapter or description, unless title or genre already match. */
function ResultNote({ result, terms }: ResultNoteProps) {
  const { id, chapter, weekNumber } = result;
  const snippet = chapter ? null : findSnippet(result, terms);
  const names = joinNames(result.artists);
  return (
    <>
      {chapter ? (
        <Link href={trackPath(id, chapter)} className="underline-offset-4 hover:underline">
          <HighlightedText text={describeChapter(chapter)} terms={terms} />
        </Link>
      ) : (
        <>
          {names && (
            <>
              <HighlightedText text={names} terms={terms} />
              <Dot />
            </>
          )}
          <HighlightedText text={snippet ?? result.genre ?? 'Unknown Genre'} terms={terms} />
        </>
      )}
      <span className="@2xl/content:sr-only">
        <Dot />
        Week {weekNumber}
      </span>
      {!chapter && !snippet && (
        <span className="@2xl/content:hidden">
          <Dot />
          {formatDuration(result.duration)}
        </span>
      )}
    </>
  );
}

/** The matching part of the description, if it has a term that title, artists and genre don't. */
function findSnippet(
  { title, artists, genre, description }: SearchResult,
  terms: readonly SearchTerm[],
): string | null {
  const words = readWords(`${title} ${joinNames(artists)} ${genre ?? ''}`);
  const missing = terms.filter((term) => !words.some(({ word }) => isHit(term, word)));
  return missing.length > 0 ? buildSnippet(description, missing) : null;
}
