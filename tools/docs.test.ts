import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
/** The coverage page has a test of its own, and the changelog names what is gone. */
const pages = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root }).filter(
  (page) => page !== 'CHANGELOG.md' && !page.endsWith('spec-coverage.md'),
);
const TOP_FOLDERS = 'contract|server|web|demo|tools|bench|e2e|docs';
const PATH = new RegExp(`^(?:${TOP_FOLDERS})/[\\w./*{},-]*$`);

const exists = (path: string): boolean => globSync(path, { cwd: root }).length > 0;

function findBrokenPaths(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  const paths = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' › ')[0]);
  const mentioned = paths.filter((path): path is string => path !== undefined && PATH.test(path));
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
    join(dirname(page), link),
  );
  return [
    ...mentioned.filter((path) => !exists(path)),
    ...links.filter((link) => !existsSync(join(root, link))),
  ];
}

test.each(pages)('every file that %s names exists', (page) => {
  expect(findBrokenPaths(page)).toEqual([]);
});
