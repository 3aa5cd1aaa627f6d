import { expect, it } from 'vitest';
import { listPagePaths } from '../page-paths.ts';
import { isHelperPath } from './helper-paths.ts';

it('leaves Money, Members and Site to administrators', () => {
  const pages = listPagePaths().filter((path) => path.startsWith('/admin'));
  expect(pages.filter((path) => isHelperPath(path))).toEqual([
    '/admin/tracks',
    '/admin/track-management',
    '/admin/tracks/edit/:id',
    '/admin/tracks/:id/rights',
    '/admin/rights',
    '/admin/rights/take-downs',
    '/admin/series',
    '/admin/artists',
    '/admin/artists/:id',
    '/admin/clips',
    '/admin/letters',
    '/admin/letters/:id',
    '/admin/moments',
    '/admin/upload',
    '/admin/simple-upload',
    '/admin/upload-old',
    '/admin/reports',
  ]);
});

it('reads a path as the router does', () => {
  expect(isHelperPath('//Admin//Uploads')).toBe(false);
  expect(isHelperPath('//Admin//Upload/')).toBe(true);
});
