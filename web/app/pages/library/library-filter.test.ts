import { describe, expect, it } from 'vitest';
import { libraryPath, parseLibraryFilter } from './library-filter.tsx';

const parse = (search: string) => {
  const params = new URLSearchParams(search);
  return parseLibraryFilter((name) => params.get(name));
};

describe('the library filter in the address', () => {
  it('is parsed back as it was written', () => {
    const filter = { state: 'missed', genre: 'Drum & Bass', year: 2025 } as const;
    const path = libraryPath(filter);
    expect(path).toBe('/library?state=missed&genre=Drum+%26+Bass&year=2025');
    expect(parse(path.slice(path.indexOf('?')))).toEqual(filter);
  });

  it('is empty when nothing is chosen', () => {
    expect(libraryPath({ state: undefined, genre: undefined, year: undefined })).toBe('/library');
  });

  it.each(['state=loved', 'year=soon', 'year=12', 'year=2025.5', 'genre='])(
    'leaves out what %s cannot mean',
    (search) => {
      expect(parse(search)).toEqual({ state: undefined, genre: undefined, year: undefined });
    },
  );
});
