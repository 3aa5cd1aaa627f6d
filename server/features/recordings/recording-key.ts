import { readWords } from '#contract/rules/search-words.ts';

export type Names = { artist: string | null; title: string };

/** What stands for a recording that nobody names: two of them aren’t the same one. */
const UNNAMED = new Set(['', 'id', 'unknown', 'unknownartist', 'unreleased', 'untitled', 'tba']);
const ORIGINAL = / original(?: mix| version)?$/;

const fold = (text: string): string => {
  const words = readWords(text).map(({ word }) => word);
  return words.length > 0 ? words.join(' ') : text.trim().toLowerCase();
};

export const toArtistKey = (artist: string | null): string => fold(artist ?? '');
export const toTitleKey = (title: string): string => fold(title).replace(ORIGINAL, '');

/** The same for names that differ only in case, accents, signs and “(Original Mix)”. */
export const toRecordingKey = ({ artist, title }: Names): string =>
  `${toArtistKey(artist)} – ${toTitleKey(title)}`;

/** Whether the same names in two mixes mean the same recording. */
export const isNamed = ({ artist, title }: Names): boolean =>
  [toArtistKey(artist), toTitleKey(title)].every(
    (key) => !UNNAMED.has(key.replaceAll(' ', '')) && !key.startsWith('id '),
  );
