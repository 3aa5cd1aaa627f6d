import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPreloads, readPageFiles } from './page-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-page-files-'));
  await mkdir(join(folder, '.vite'));
  const routes = [
    ['/', ['assets/home.js']],
    ['/track/:id', ['assets/track.js']],
    ['/admin/*?', ['assets/admin.js', 'assets/forms.js']],
    ['/:name', ['assets/legal.js']],
    ['*', ['assets/not-found.js']],
  ];
  await writeFile(join(folder, '.vite', 'page-files.json'), JSON.stringify(routes));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  ['/', ['assets/home.js']],
  ['/track/track_1', ['assets/track.js']],
  ['/admin', ['assets/admin.js', 'assets/forms.js']],
  ['/admin/reports', ['assets/admin.js', 'assets/forms.js']],
  ['/terms', ['assets/legal.js']],
  ['/track/a/b', ['assets/not-found.js']],
])('the page at %s needs %j', (path, files) => {
  expect(readPageFiles(folder)(path)).toEqual(files);
});

it('without a build no page names any files', () => {
  expect(readPageFiles(join(folder, 'missing'))('/')).toEqual([]);
});

it('a page names its files in its head', () => {
  const page = { status: 200, html: '<head></head><body>', policy: '' };
  const { html } = addPreloads(page, ['assets/home.js']);
  expect(html).toMatch(
    /<head>\s*<link rel="modulepreload" crossorigin href="\/assets\/home\.js" \/>\s*<\/head>/,
  );
  expect(addPreloads(page, [])).toBe(page);
});
