import { expect, it } from 'vitest';
import { z } from 'zod';
import { api } from './api.ts';
import type { RouteSpec } from './route.ts';

/** Always on one page, so they have nothing to continue. */
const shortLists = [
  'GET /api/achievements',
  'GET /api/me/app-passwords',
  'GET /api/me/passkeys',
  'GET /api/me/sessions',
  'GET /api/deleted-playlists',
  'GET /api/admin/schedules',
  'GET /api/tracks/:id/clips',
];

it('every list answers with its items and a cursor, and takes a cursor and a limit', () => {
  const lists = Object.entries<RouteSpec>(api).flatMap(([key, { query, response }]) => {
    const answer = response instanceof z.ZodObject ? Object.keys(response.shape) : [];
    // The Top 20 is one chart, whatever its week.
    return answer.includes('items') && key !== 'GET /api/top-20'
      ? [{ key, answer, takes: Object.keys(query?.shape ?? {}) }]
      : [];
  });
  expect(lists.length).toBeGreaterThan(15);
  for (const { key, answer, takes } of lists) {
    const cursors = answer.filter((name) => name === 'nextCursor');
    const paging = takes.filter((name) => name === 'cursor' || name === 'limit');
    const expected = shortLists.includes(key) ? [] : ['cursor', 'limit'];
    expect({ key, cursors, paging }).toEqual({ key, cursors: ['nextCursor'], paging: expected });
  }
  expect(lists.map(({ key }) => key)).toEqual(expect.arrayContaining(shortLists));
});
