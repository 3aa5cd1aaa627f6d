import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { CatalogueTrack } from '#contract/admin/catalogue.ts';
import { CatalogueRow } from './catalogue-row.tsx';

const track: CatalogueTrack = {
  id: 'a',
  title: 'Golden Hour Pressure',
  year: 2026,
  weekNumber: 46,
  genre: 'Amapiano',
  duration: 3600,
  artists: [],
  coverUrl: null,
  state: 'published',
  progress: 100,
  stages: [],
  failure: null,
  isSubscriberOnly: false,
  publishAt: 0,
  deletedAt: null,
  updatedAt: 0,
  version: 1,
  figures: { plays: 41, listeners: 32, favorites: 23, downloads: 14 },
  files: [],
};

it('shows a track of the catalogue with all its figures', () => {
  const html = renderToStaticMarkup(<CatalogueRow track={track} timeZone="Africa/Johannesburg" />);
  expect(html).toContain('Golden Hour Pressure');
  const figures = [...html.matchAll(/<dt[^>]*>([^<]+)<\/dt><dd[^>]*>([^<]+)<\/dd>/g)];
  expect(figures.map(([, label, value]) => [label, value])).toEqual([
    ['Plays', '41'],
    ['Listeners', '32'],
    ['Favorites', '23'],
    ['Downloads', '14'],
  ]);
});
