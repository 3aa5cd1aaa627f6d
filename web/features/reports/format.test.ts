import { describe, expect, it } from 'vitest';
import type { Figure } from '#contract/reports.ts';
import { describeChange, formatCell, formatShort } from './format.ts';

const figure = (
  value: number | null,
  previous: number | null,
  more: Partial<Figure> = {},
): Figure => ({
  key: 'a',
  label: 'A',
  definition: 'A.',
  unit: 'count',
  isGoodWhen: 'more',
  href: null,
  value,
  previous,
  ...more,
});

describe('how a figure moved', () => {
  it.each<[Figure, ReturnType<typeof describeChange>]>([
    [figure(110, 100), { says: '+10%', tone: 'good' }],
    [figure(90, 100), { says: '−10%', tone: 'bad' }],
    [figure(90, 100, { isGoodWhen: 'less' }), { says: '−10%', tone: 'good' }],
    [figure(90, 100, { isGoodWhen: null }), { says: '−10%', tone: 'same' }],
    [figure(12, 0), { says: '+12', tone: 'good' }],
    [figure(7, 7), { says: 'No change', tone: 'same' }],
    [figure(0.05, 0.02, { unit: 'share', isGoodWhen: 'less' }), { says: '+3 points', tone: 'bad' }],
    [figure(7, null), null],
    [figure(null, 7), null],
  ])('%#', (given, change) => {
    expect(describeChange(given)).toEqual(change);
  });
});

it('writes numbers as short as a tile has room for', () => {
  expect([formatShort(38_412, 'count'), formatShort(148_000_00, 'cents')]).toEqual([
    '38,4k',
    'R148k',
  ]);
  expect([formatShort(0.029, 'share'), formatShort(null, 'count')]).toEqual(['2,9%', '–']);
});

it('names what numbers stand for', () => {
  const cell = (kind: 'weekday' | 'hour' | 'percent', value: number) =>
    formatCell(value, { key: 'a', label: 'A', kind });
  expect([cell('weekday', 6), cell('hour', 7), cell('percent', 50)]).toEqual([
    'Sunday',
    '07:00',
    '50%',
  ]);
});
