import { readCompounds, readWords } from '#contract/rules/search-words.ts';
import type { Chapter } from '#contract/tracks.ts';
import { readChapters } from '../../db/read-chapters.ts';
import type { TracksTable } from '../../db/types/tables.ts';

export const searchableColumns = [
  'tracks.id',
  'tracks.title',
  'tracks.year',
  'tracks.week',
  'tracks.description',
  'tracks.genre',
  'tracks.series',
  'tracks.bpm',
  'tracks.chapters',
] as const;
type SearchableColumn = (typeof searchableColumns)[number];
export type SearchableTrack = {
  [
    Name in keyof TracksTable as `tracks.${Name}` extends SearchableColumn ? Name : never
  ]: TracksTable[Name];
};

/** Each field has its own tokens, so that a search in one field doesn't read those of the others. */
export type Field = 'title' | 'genre' | 'chapter' | 'anything' | 'wholeTitle' | 'wholeGenre';
const prefixes: Record<Field, string> = {
  title: 't_',
  genre: 'g_',
  chapter: 'c_',
  anything: 'a_',
  wholeTitle: 'e_',
  wholeGenre: 'x_',
};
export const toToken = (field: Field, word: string): string => prefixes[field] + word;

export const weekToken = (week: number): string => `w_${week}`;
export const yearToken = (year: number): string => `y_${year}`;

/** Separates words that are not one phrase. */
export const GAP = '_';

/** Increase it when documents change: older ones are then indexed again. */
export const DOCUMENT_VERSION = 3;

const MAX_WORDS = 2000;
const MAX_WHOLE = 100;

const wordsOf = (text: string): string[] => readWords(text).map(({ word }) => word);

/** All words of a field as one token, for exact matches. */
export const joinWhole = (words: readonly string[]): string => words.join('').slice(0, MAX_WHOLE);

const chapterWords = ({ artist, title }: Chapter): string[] => [
  ...wordsOf(artist ?? ''),
  ...wordsOf(title),
];

/** The tokens of a track and the names of its artists, ordered so that neighbours form phrases. */
export function buildDocument(track: SearchableTrack, artists: readonly string[]): string {
  const title = wordsOf(track.title);
  // A track is found by its artists and its series as by its title.
  const names = [...artists, ...(track.series ? [track.series] : [])].map((name) => ({
    words: wordsOf(name),
    compounds: readCompounds(name),
  }));
  const genre = wordsOf(track.genre ?? '');
  const chapters = readChapters(track);
  const titleCompounds = readCompounds(track.title);
  const genreCompounds = readCompounds(track.genre ?? '');
  const tracklist = chapters.flatMap((chapter) => [...chapterWords(chapter), GAP]);
  const description = [...wordsOf(track.description), ...readCompounds(track.description)];
  const anything = new Set([
    ...title,
    ...titleCompounds,
    ...names.flatMap(({ words, compounds }) => [...words, ...compounds]),
    ...genre,
    ...genreCompounds,
    'week',
    String(track.year),
    ...(track.bpm === null ? [] : [String(track.bpm), 'bpm']),
    ...tracklist.slice(0, MAX_WORDS).filter((word) => word !== GAP),
    ...description.slice(0, MAX_WORDS),
  ]);
  const inField = (field: Field, words: readonly string[]) =>
    words.map((word) => (word === GAP ? GAP : toToken(field, word)));
  return [
    ...inField('title', [...title, GAP, ...titleCompounds.flatMap((word) => [word, GAP])]),
    ...names.flatMap(({ words, compounds }) =>
      inField('title', [...words, GAP, ...compounds.flatMap((word) => [word, GAP])]),
    ),
    ...inField('genre', [...genre, GAP, ...genreCompounds.flatMap((word) => [word, GAP])]),
    ...inField('chapter', tracklist.slice(0, MAX_WORDS)),
    ...(title.length > 0 ? [toToken('wholeTitle', joinWhole(title))] : []),
    ...(genre.length > 0 ? [toToken('wholeGenre', joinWhole(genre))] : []),
    weekToken(track.week),
    yearToken(track.year),
    ...inField('anything', [...anything]),
  ].join(' ');
}

/** The distinct words of a document, for the vocabulary. */
export const listWords = (document: string): string[] =>
  document
    .split(' ')
    .filter((token) => token.startsWith(prefixes.anything))
    .map((token) => token.slice(prefixes.anything.length))
    .toSorted();
