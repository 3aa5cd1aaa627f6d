import { expect, it } from 'vitest';
import type { Column } from '#contract/admin/reports.ts';
import { chooseStep, groupDays } from './group-days.ts';

const columns: Column[] = [
  { key: 'day', label: 'Day', kind: 'day' },
  { key: 'a', label: 'A', kind: 'count', aggregate: 'sum' },
  { key: 'b', label: 'B', kind: 'count', aggregate: 'last' },
  { key: 'c', label: 'C', kind: 'count', aggregate: 'mean' },
];
const rows = ['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03'].map((day, index) => ({
  cells: [day, 1, index, index * 2],
  href: null,
}));

it('groups days into weeks and months by sum, last value or mean', () => {
  expect(groupDays(rows, columns, 'week').map(({ key, values }) => [key, values])).toEqual([
    ['2026-10-26', [2, 1, 1]],
    ['2026-11-02', [2, 3, 5]],
  ]);
  expect(groupDays(rows, columns, 'month').map(({ key, values }) => [key, values])).toEqual([
    ['2026-10', [1, 0, 0]],
    ['2026-11', [3, 3, 4]],
  ]);
  expect(groupDays(rows, columns, 'day')).toHaveLength(4);
});

it('chooses steps that are wide enough to see', () => {
  expect([7, 62, 63, 365, 1000].map(chooseStep)).toEqual(['day', 'day', 'week', 'week', 'month']);
});
