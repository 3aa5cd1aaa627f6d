import { joinNames } from '#contract/artists/artist-names.ts';
import { splitByHits, type SearchTerm } from '#contract/rules/search-words.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Suggestions } from '#contract/search.ts';
import type { Chapter } from '#contract/tracks.ts';
import { searchPath } from './api.ts';

export type SuggestedTrack = Suggestions['tracks'][number];

/** One entry of the list, with its text and link. */
export type SuggestionOption = { key: string; label: string; href: string } & (
  | { kind: 'recent' | 'search' | 'week' | 'genre' | 'artist' }
  | { kind: 'track'; track: SuggestedTrack }
);
export type SuggestionGroup = { title: string; options: SuggestionOption[] };

/** `/track/{id}`, with the start of the matching chapter if there is one. */
export const trackPath = (id: string, chapter: Chapter | null): string =>
  `/track/${id}${chapter && chapter.at !== null ? `?t=${Math.floor(chapter.at)}` : ''}`;

/** `5:12 Umlazi Siren, Kasi Voltage`. */
export const describeChapter = ({ at, title, artist }: Chapter): string =>
  `${at === null ? '' : `${formatDuration(at)} `}${title}${artist ? `, ${artist}` : ''}`;

const joinFacts = (facts: readonly (string | null | undefined)[]): string =>
  facts.filter(Boolean).join(' · ');

/** What is under the title; what matches comes first if the rest doesn't say why a mix is listed. */
export function describeSuggestion(track: SuggestedTrack, terms: readonly SearchTerm[]): string {
  const { title, artists, year, weekNumber, genre, bpm, series, chapter } = track;
  if (chapter) return `In the tracklist: ${describeChapter(chapter)}`;
  const facts = joinFacts([joinNames(artists), `Week ${weekNumber}, ${year}`, genre]);
  const isFound = (text: string | null | undefined) =>
    splitByHits(text ?? '', terms).some((piece) => piece.isHit);
  if (isFound(title) || isFound(facts)) return facts;
  return joinFacts([[series, bpm ? `${bpm} BPM` : null].find(isFound), facts]);
}

const search = (kind: 'recent' | 'search' | 'week' | 'genre', label: string, text: string) => ({
  key: `${kind}:${text}`,
  kind,
  label,
  href: searchPath(text),
});

export const groupRecentSearches = (recent: readonly string[]): SuggestionGroup[] =>
  recent.length === 0
    ? []
    : [{ title: 'Recent searches', options: recent.map((text) => search('recent', text, text)) }];

/** Suggestions for the typed text, ending with the search itself. */
export function groupSuggestions(
  typed: string,
  suggestions: Suggestions | undefined,
): SuggestionGroup[] {
  const { tracks = [], weeks = [], genres = [], artists = [] } = suggestions ?? {};
  const correctedQuery = suggestions?.correctedQuery ?? null;
  const searches = [
    ...(correctedQuery ? [search('search', `Search for “${correctedQuery}”`, correctedQuery)] : []),
    search('search', `See all results for “${typed}”`, typed),
  ];
  const groups: SuggestionGroup[] = [
    {
      title: 'Weeks',
      options: weeks.map(({ year, week }) =>
        search('week', `Week ${week}, ${year}`, `week ${week} ${year}`),
      ),
    },
    {
      title: 'Artists',
      options: artists.map(({ id, name }) => ({
        key: `artist:${id}`,
        kind: 'artist' as const,
        label: name,
        href: `/artist/${id}`,
      })),
    },
    {
      title: 'Mixes',
      options: tracks.map((track) => ({
        key: `track:${track.id}`,
        kind: 'track' as const,
        label: track.title,
        href: trackPath(track.id, track.chapter),
        track,
      })),
    },
    { title: 'Genres', options: genres.map((genre) => search('genre', genre, genre)) },
    { title: 'Search', options: searches },
  ];
  return groups.filter(({ options }) => options.length > 0);
}
