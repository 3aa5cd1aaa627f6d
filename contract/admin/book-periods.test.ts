import { describe, expect, it } from 'vitest';
import {
  findPeriod,
  findPeriodProblem,
  formatPeriod,
  listPeriods,
  parsePeriod,
} from './book-periods.ts';

const year = { vatCategory: 'B' as const, yearEndMonth: 2 };
const find = (
  kind: 'month' | 'vat' | 'year',
  month: string,
  more: Partial<typeof year | { vatCategory: 'A' | 'C' }> = {},
) => formatPeriod(findPeriod(kind, month, { ...year, ...more }));

describe('periods of the books', () => {
  it('are tax periods of two months that end in odd (A) or even months (B), or one month (C)', () => {
    expect(find('vat', '2026-11')).toBe('2026-11-01_2026-12-31');
    expect(find('vat', '2026-12')).toBe('2026-11-01_2026-12-31');
    expect(find('vat', '2026-02')).toBe('2026-01-01_2026-02-28');
    expect(find('vat', '2026-11', { vatCategory: 'A' })).toBe('2026-10-01_2026-11-30');
    expect(find('vat', '2026-12', { vatCategory: 'A' })).toBe('2026-12-01_2027-01-31');
    expect(find('vat', '2027-01', { vatCategory: 'A' })).toBe('2026-12-01_2027-01-31');
    expect(find('vat', '2026-11', { vatCategory: 'C' })).toBe('2026-11');
  });

  it('are years that end with the month of the settings', () => {
    expect(find('year', '2026-02')).toBe('2025-03-01_2026-02-28');
    expect(find('year', '2026-03')).toBe('2026-03-01_2027-02-28');
    expect(find('year', '2028-02')).toBe('2027-03-01_2028-02-29');
    expect(find('year', '2026-12', { yearEndMonth: 12 })).toBe('2026-01-01_2026-12-31');
  });

  it('are listed once each, newest first', () => {
    const months = ['2026-11', '2026-10', '2026-09'];
    expect(listPeriods('vat', months, year)).toEqual([
      '2026-11-01_2026-12-31',
      '2026-09-01_2026-10-31',
    ]);
    expect(listPeriods('month', months, year)).toEqual(months);
  });

  it.each(['2026-11', '2026-10-15_2026-11-14', '2024-02-29_2024-02-29'])('reads %s', (text) => {
    expect(findPeriodProblem(text)).toBeNull();
    expect(formatPeriod(parsePeriod(text))).toBe(text);
  });

  it.each([
    ['2026-13', 'Enter a month or two days from 2000 to 2099.'],
    ['2026', 'Enter a month or two days from 2000 to 2099.'],
    ['2026-02-30_2026-03-01', 'Enter a month or two days from 2000 to 2099.'],
    ['2026-11-02_2026-11-01', 'The period ends before it begins.'],
    ['2020-01-01_2026-01-01', 'Choose a period of up to three years.'],
  ])('refuses %s', (text, sentence) => {
    expect(findPeriodProblem(text)).toBe(sentence);
  });
});
