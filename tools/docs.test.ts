import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');
const isSuperseded = (page: string): boolean => /^Status: superseded/m.test(readPage(page));
/** The changelog and old decisions may name files that are gone. */
const pages = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root }).filter(
  (page) => page !== 'CHANGELOG.md' && !isSuperseded(page),
);
const TOP_FOLDERS = 'contract|server|web|demo|tools|bench|e2e|docs';
const PATH = new RegExp(`^(?:${TOP_FOLDERS})/[\\w./*{},-]*$`);

const exists = (path: string): boolean => globSync(path, { cwd: root }).length > 0;

function findBrokenPaths(page: string): string[] {
  const text = readPage(page).replaceAll(/^```[^]*?^```/gm, '');
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

const readSource = (file: string): string =>
  exists(file) ? readFileSync(join(root, file), 'utf8') : '';

test.each(pages)('every test that %s names exists, as `file › suite › test`', (page) => {
  const named = [...readPage(page).matchAll(/`([^`\n]+ › [^`\n]+)`/g)].map(([, code = '']) => code);
  const missing = named.filter((code) => {
    const [file = '', ...titles] = code.replaceAll('\\|', '|').split(' › ');
    const source = readSource(file);
    return titles.some((title) => !source.includes(title));
  });
  expect(missing).toEqual([]);
});

/** The address that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

const listHeadings = (page: string, marks = '#+'): string[] =>
  [
    ...readPage(page)
      .replaceAll(/^```[^]*?^```/gm, '')
      .matchAll(new RegExp(`^${marks} (.+)$`, 'gm')),
  ].map(([, heading = '']) => heading);

test.each(pages)('every link of %s to a chapter leads to one', (page) => {
  const links = [...readPage(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
  const broken = links.filter(([, file = '', anchor = '']) => {
    const target = file === '' ? page : join(dirname(page), file);
    return !listHeadings(target).map(toAnchor).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test('the contents of docs/operations.md name every chapter', () => {
  const page = 'docs/operations.md';
  const [contents = ''] = readPage(page).split('\n## ');
  const missing = listHeadings(page, '##').filter(
    (heading) => !contents.includes(`[${heading}](#${toAnchor(heading)})`),
  );
  expect(missing).toEqual([]);
});

const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: root }).toSorted();

test('decisions are numbered without gaps, and each has a status', () => {
  const heads = decisions.map((page) =>
    /^# (\d+)\. .+\n\nStatus: (?:accepted|superseded)/.exec(readPage(page)),
  );
  expect(heads.map((head) => Number(head?.[1]))).toEqual(decisions.map((_, index) => index + 1));
});
