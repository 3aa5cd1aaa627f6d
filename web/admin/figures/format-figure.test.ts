import { describe, expect, it } from 'vitest';
import type { Figure } from '#contract/admin/reports.ts';
import { describeChange, formatCell, formatShort } from './format-figure.ts';

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

describe('the change of a figure', () => {
  it.each<[Figure, ReturnType<typeof describeChange>]>([
    [figure(110, 100), { text: '+10%', tone: 'good' }],
    [figure(90, 100), { text: '−10%', tone: 'bad' }],
    [figure(90, 100, { isGoodWhen: 'less' }), { text: '−10%', tone: 'good' }],
    [figure(90, 100, { isGoodWhen: null }), { text: '−10%', tone: 'same' }],
    [figure(12, 0), { text: '+12', tone: 'good' }],
    [figure(7, 7), { text: 'No change', tone: 'same' }],
    [figure(0.05, 0.02, { unit: 'share', isGoodWhen: 'less' }), { text: '+3 pts', tone: 'bad' }],
    [figure(0.03, 0.02, { unit: 'share' }), { text: '+1 pt', tone: 'good' }],
    [figure(1055, 1000), { text: '+5.5%', tone: 'good' }],
    [figure(7, null), null],
    [figure(null, 7), null],
  ])('%#', (given, change) => {
    expect(describeChange(given)).toEqual(change);
  });
});

it('shortens numbers to fit a tile', () => {
  expect([formatShort(38_412, 'count'), formatShort(148_000_00, 'cents')]).toEqual([
    '38.4k',
    'R148k',
  ]);
  expect(formatShort(-158_00, 'cents')).toBe('−R158');
  expect([formatShort(0.029, 'share'), formatShort(null, 'count')]).toEqual(['2.9%', '–']);
});

it('formats weekdays, hours and percentages', () => {
  const cell = (kind: 'weekday' | 'hour' | 'percent', value: number) =>
    formatCell(value, { key: 'a', label: 'A', kind });
  expect([cell('weekday', 6), cell('hour', 7), cell('percent', 50)]).toEqual([
    'Sunday',
    '07:00',
    '50%',
  ]);
});
