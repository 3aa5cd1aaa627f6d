import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { facetsQuery } from '#web/features/tracks/api.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { LibraryFilters, libraryPath, parseLibraryFilter } from './library-filter.tsx';

const parse = (search: string) => {
  const params = new URLSearchParams(search);
  return parseLibraryFilter((name) => params.get(name));
};

describe('the library filter in the address', () => {
  it('is parsed back as it was written', () => {
    const filter = {
      state: 'missed',
      genre: 'Drum & Bass',
      series: 'Rooftops',
      year: 2025,
    } as const;
    const path = libraryPath(filter);
    expect(path).toBe('/library?state=missed&genre=Drum+%26+Bass&series=Rooftops&year=2025');
    expect(parse(path.slice(path.indexOf('?')))).toEqual(filter);
  });

  it('is empty when nothing is chosen', () => {
    expect(
      libraryPath({
        state: undefined,
        genre: undefined,
        series: undefined,
        year: undefined,
      }),
    ).toBe('/library');
  });

  it.each(['state=loved', 'year=soon', 'year=12', 'year=2025.5', 'genre='])(
    'leaves out what %s cannot mean',
    (search) => {
      expect(parse(search)).toEqual({
        state: undefined,
        genre: undefined,
        series: undefined,
        year: undefined,
      });
    },
  );
});

describe('the filters of the library', () => {
  function listChoices(canDownload: boolean, series?: string[]): string[] {
    const queries = createQueryClient();
    queries.setQueryData(facetsQuery.queryKey, {
      years: [2026, 2025],
      weeks: [46],
      genres: ['Gqom', 'Kwaito'],
      ...(series && { series }),
    });
    const html = renderToStaticMarkup(
      <QueryClientProvider client={queries}>
        <LibraryFilters filter={{}} onChange={() => undefined} canDownload={canDownload} />
      </QueryClientProvider>,
    );
    return html.split(/<[^>]+>/).filter((text) => text.trim() !== '');
  }

  it('are listened, missed and downloaded, every genre and every year', () => {
    expect(listChoices(true).join(', ')).toBe(
      'Filter mixes, All, Listened, Missed, Downloaded, All genres, Gqom, Kwaito, All years, 2026, 2025',
    );
  });

  it('have the series of the site, if it has any', () => {
    expect(listChoices(true).join()).not.toContain('series');
    expect(listChoices(true, ['Rooftops']).join(', ')).toContain('All series, Rooftops');
  });

  it('have no Downloaded for members who can’t download', () => {
    expect(listChoices(false)).not.toContain('Downloaded');
    expect(listChoices(false)).toContain('Missed');
  });
});
