import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  findMissingProofs,
  findMissingWords,
  listTests,
  parseCoverage,
  statusOf,
  type CoverageRow,
  type SpecSentence,
} from './spec-coverage.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8');
const rows = parseCoverage(page);
const sentences = JSON.parse(
  readFileSync(join(root, 'tools/testing/spec-sentences.json'), 'utf8'),
) as SpecSentence[];

const exists = (path: string) => existsSync(join(root, path));
const idsOf = (found: CoverageRow[]) => found.map(({ id }) => id);

function countRows(status: string): number[] {
  const counted = rows.filter((row) => status === 'All' || statusOf(row) === status);
  const ofDecisions = counted.filter(({ id }) => id.startsWith('D')).length;
  return [counted.length - ofDecisions, ofDecisions, counted.length];
}

describe('the coverage of the specification', () => {
  test('has every section and numbers its rows without gaps or repeats', () => {
    const sections = new Map<string, number[]>();
    for (const id of idsOf(rows)) {
      const [section = '', number] = id.split('.');
      sections.set(section, [...(sections.get(section) ?? []), Number(number)]);
    }
    const specification = Array.from({ length: 10 }, (_, section) => String(section));
    expect([...sections.keys()]).toEqual([...specification, 'D1', 'D2', 'D3', 'D4', 'D5']);
    for (const [section, numbers] of sections) {
      const expected = numbers.map((_, index) => index + 1);
      expect({ section, numbers }).toEqual({ section, numbers: expected });
    }
  });

  test('covers every sentence of the specification completely', () => {
    const uncovered = sentences
      .map((sentence) => ({ ...sentence, missing: findMissingWords(sentence, rows) }))
      .filter(({ missing }) => missing.length > 0);
    expect(uncovered).toEqual([]);
  });

  test('has no row without a sentence behind it', () => {
    const covered = new Set(sentences.flatMap((sentence) => sentence.rows));
    const ofSpecification = idsOf(rows).filter((id) => !id.startsWith('D'));
    expect(ofSpecification.filter((id) => !covered.has(id))).toEqual([]);
  });

  test('has a proof or a decision for every row', () => {
    expect(idsOf(rows.filter((row) => statusOf(row) === 'Unproven'))).toEqual([]);
  });

  test('refers only to decisions that exist', () => {
    const ids = new Set(idsOf(rows));
    const unknown = rows.filter(({ settledBy }) => settledBy.some((id) => !ids.has(id)));
    expect(idsOf(unknown)).toEqual([]);
  });

  test('names only files that exist, and at least one for each proven row', () => {
    const missing = rows.flatMap(({ id, files }) =>
      files.filter((file) => !exists(file)).map((file) => `${id}: ${file}`),
    );
    expect(missing).toEqual([]);
    const withoutFile = rows.filter((row) => statusOf(row) === 'Done' && row.files.length === 0);
    expect(idsOf(withoutFile)).toEqual([]);
  });

  test('names only tests that exist', () => {
    const proofs = rows.flatMap((row) => row.proofs);
    expect(findMissingProofs(root, proofs)).toEqual([]);
  });

  test('counts its rows correctly', () => {
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

  test('finds files, proofs and decisions', () => {
    expect(read('| 2.1 | All pages | `a.ts`<br>`b.ts` | `c.test.ts › x › y` |')).toEqual({
      id: '2.1',
      sentence: 'All pages',
      files: ['a.ts', 'b.ts'],
      proofs: [{ file: 'c.test.ts', title: 'x › y' }],
      settledBy: [],
    });
    expect(read('| 1.2 | Not shown | — | Settled by D1.1, D1.2 |')?.settledBy).toEqual([
      'D1.1',
      'D1.2',
    ]);
  });

  test('calls a row without an answer unproven, and ignores prose', () => {
    const empty = read('| 2.1 | All pages | `a.ts` |  |');
    expect(empty && statusOf(empty)).toBe('Unproven');
    expect(parseCoverage('| Id | Sentence |\n2.1 is a row')).toEqual([]);
  });
});

describe('a sentence of the specification', () => {
  const covering = parseCoverage('| 2.1 | Control: play/pause. | `a.ts` | `b.test.ts › c` |');
  const sentence = 'Controls: play/pause and close.';

  test('is not covered by a row that leaves something out', () => {
    expect(findMissingWords({ sentence, rows: ['2.1'] }, covering)).toEqual(['close']);
  });

  test('is not covered without a row', () => {
    expect(findMissingWords({ sentence: 'Play.', rows: [] }, covering)).toEqual(['play']);
    expect(findMissingWords({ sentence: 'Play.', rows: ['9.9'] }, covering)).toEqual(['play']);
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
