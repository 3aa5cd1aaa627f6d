import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import requirements from './asvs-requirements.json' with { type: 'json' };
import { findMissingProofs, findProofs, splitCells } from './spec-coverage.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');

const levels = new Map(
  Object.entries(requirements).flatMap(([level, ids]) => ids.map((id) => [id, level] as const)),
);

/** Rows of requirements; one with the number of a chapter stands for all of it. */
const rows = page
  .split('\n')
  .filter((line) => /^\| \d+(?:\.\d+\.\d+)? \|/.test(line))
  .map(splitCells)
  .map(([id = '', level = '', , state = '', where = '']) => ({
    id,
    level,
    state,
    where,
    ids: id.includes('.') ? [id] : [...levels.keys()].filter((each) => each.startsWith(`${id}.`)),
  }));

const countRequirements = (state: string, level: string): number =>
  rows
    .filter((row) => state === 'All' || row.state === state)
    .flatMap(({ ids }) => ids)
    .filter((id) => level === 'all' || levels.get(id) === level).length;

describe('the page about security', () => {
  test('has one row for every requirement of levels 1 and 2, with its level', () => {
    const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });
    expect(rows.flatMap(({ ids }) => ids).toSorted(byNumber)).toEqual(
      [...levels.keys()].toSorted(byNumber),
    );
    const wrong = rows.filter(({ id, level }) => id.includes('.') && levels.get(id) !== level);
    expect(wrong).toEqual([]);
  });

  test('says of every requirement where it is met or why not', () => {
    const states = ['Met', 'Partly', 'Not met', 'Doesn’t apply'];
    const empty = rows.filter(({ state, where }) => !states.includes(state) || where === '');
    expect(empty).toEqual([]);
  });

  test('names only tests that exist', () => {
    const proofs = findProofs(page).filter(({ file }) => file !== 'file');
    expect(proofs.length).toBeGreaterThan(100);
    expect(findMissingProofs(root, proofs)).toEqual([]);
  });

  test('counts its rows correctly', () => {
    const counts = [...page.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
    expect(counts.map(([, state]) => state)).toContain('All');
    for (const [, state = '', ...numbers] of counts) {
      const counted = ['1', '2', 'all'].map((level) => countRequirements(state, level));
      expect({ state, counted: numbers.map(Number) }).toEqual({ state, counted });
    }
  });
});
