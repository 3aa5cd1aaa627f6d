import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  listTests,
  parseCoverage,
  statusOf,
  type CoverageRow,
  type Proof,
} from './spec-coverage.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8');
const rows = parseCoverage(page);
const OWNERS = ['Sound', 'Finding and keeping', 'Paying', 'Running the site'];

const exists = (path: string) => existsSync(join(root, path));
const idsOf = (found: CoverageRow[]) => found.map(({ id }) => id);

const testsOf = new Map<string, string[]>();
function isTest({ file, title }: Proof): boolean {
  if (!exists(file)) return false;
  const tests = testsOf.get(file) ?? listTests(file, readFileSync(join(root, file), 'utf8'));
  testsOf.set(file, tests);
  return tests.includes(title);
}

function countRows(status: string): number[] {
  const counted = rows.filter((row) => status === 'All' || statusOf(row) === status);
  const ofDecisions = counted.filter(({ id }) => id.startsWith('D')).length;
  return [counted.length - ofDecisions, ofDecisions, counted.length];
}

describe('the coverage of the specification', () => {
  test('has every section, and numbers its rows without a gap or a repetition', () => {
    const sections = new Map<string, number[]>();
    for (const id of idsOf(rows)) {
      const [section = '', number] = id.split('.');
      sections.set(section, [...(sections.get(section) ?? []), Number(number)]);
    }
    const specification = Array.from({ length: 10 }, (_, section) => String(section));
    expect([...sections.keys()]).toEqual([...specification, 'D1', 'D2', 'D3', 'D4']);
    for (const [section, numbers] of sections) {
      const expected = numbers.map((_, index) => index + 1);
      expect({ section, numbers }).toEqual({ section, numbers: expected });
    }
  });

  test('has a proof, a part to come or a decision for every row', () => {
    expect(idsOf(rows.filter((row) => statusOf(row) === 'Unanswered'))).toEqual([]);
  });

  test('names only parts that are to come, and rows that exist', () => {
    const unknownOwner = rows.filter(({ owner }) => owner && !OWNERS.includes(owner));
    expect(idsOf(unknownOwner)).toEqual([]);
    const ids = new Set(idsOf(rows));
    const unknownRow = rows.filter(({ settledBy }) => settledBy.some((id) => !ids.has(id)));
    expect(idsOf(unknownRow)).toEqual([]);
  });

  test('names only files that exist, and at least one for what is done', () => {
    const missing = rows.flatMap(({ id, places }) =>
      places.filter((place) => !exists(place)).map((place) => `${id}: ${place}`),
    );
    expect(missing).toEqual([]);
    const homeless = rows.filter((row) => statusOf(row) === 'Done' && row.places.length === 0);
    expect(idsOf(homeless)).toEqual([]);
  });

  test('names only tests that exist', () => {
    const missing = rows.flatMap(({ id, proofs }) =>
      proofs.filter((proof) => !isTest(proof)).map((proof) => ({ id, ...proof })),
    );
    expect(missing).toEqual([]);
  });

  test('counts its rows right', () => {
    const counts = [...page.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
    expect(counts.length).toBeGreaterThan(1);
    for (const [, status = '', ...numbers] of counts) {
      const counted = countRows(status);
      expect({ status, counted: numbers.map(Number) }).toEqual({ status, counted });
    }
  });
});

describe('reading a row', () => {
  const read = (line: string) => parseCoverage(line)[0];

  test('finds files, proofs, owners and decisions', () => {
    expect(read('| 2.1 | All pages | `a.ts`<br>`b.ts` | `c.test.ts › x › y` |')).toEqual({
      id: '2.1',
      places: ['a.ts', 'b.ts'],
      proofs: [{ file: 'c.test.ts', title: 'x › y' }],
      owner: undefined,
      settledBy: [],
    });
    expect(read('| D3.10 | Plays \\| more | — | Coming: Sound |')?.owner).toBe('Sound');
    expect(read('| 1.2 | Not shown | — | Settled by D1.1, D1.2 |')?.settledBy).toEqual([
      'D1.1',
      'D1.2',
    ]);
  });

  test('takes a row that says nothing for unanswered, and prose for no row', () => {
    const empty = read('| 2.1 | All pages | `a.ts` |  |');
    expect(empty && statusOf(empty)).toBe('Unanswered');
    expect(parseCoverage('| Id | Sentence |\n2.1 is a row')).toEqual([]);
  });
});

describe('the tests of a file', () => {
  test('are named with their suites, as written', () => {
    const source = `
      test.describe('a', () => { test(\`b \${c}\`, () => {}); });
      describe('d', () => { it.each([1])('e %i', () => {}); });
      for (const x of []) test('f', async () => { await test.step('g', () => {}); });`;
    expect(listTests('x.ts', source)).toEqual(['a › b ${c}', 'd › e %i', 'f']);
  });

  test('do not include what is skipped', () => {
    expect(listTests('x.ts', "test.skip('a', () => {}); it.todo('b');")).toEqual([]);
  });
});
