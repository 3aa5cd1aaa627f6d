import { describe, expect, it } from 'vitest';
import { findReportProblem, listReportPeriods } from './usage-reports.ts';

describe('the periods of a report', () => {
  it('are whole months, quarters and years that are over, newest first', () => {
    const days = { from: '2026-05-20', to: '2026-11-14' };
    expect(listReportPeriods('month', days)).toEqual([
      '2026-10',
      '2026-09',
      '2026-08',
      '2026-07',
      '2026-06',
      '2026-05',
    ]);
    expect(listReportPeriods('quarter', days)).toEqual([
      '2026-07-01_2026-09-30',
      '2026-04-01_2026-06-30',
    ]);
    expect(listReportPeriods('year', days)).toEqual([]);
    expect(listReportPeriods('year', { from: '2024-02-29', to: '2025-12-31' })).toEqual([
      '2025-01-01_2025-12-31',
      '2024-01-01_2024-12-31',
    ]);
  });

  it('are refused with a reason if they are no period, too long, not over or not added up', () => {
    const site = { today: '2026-11-15', lastDay: '2026-11-13' };
    const problem = (period: string, more: Partial<typeof site> = {}) =>
      findReportProblem(period, { ...site, ...more });
    expect(problem('2026-07-01_2026-09-30')).toBeNull();
    expect(problem('2026-02-30_2026-03-01')).toBe('Enter a month or two days from 2000 to 2099.');
    expect(problem('2026-09-30_2026-07-01')).toBe('The period ends before it begins.');
    expect(problem('2024-01-01_2026-09-30')).toBe('Choose a period of up to a year.');
    expect(problem('2001-01-01_2026-09-30')).toBe('Choose a period of up to three years.');
    expect(problem('2026-12')).toMatch(/in the future/);
    expect(problem('2026-11')).toMatch(/isn’t over/);
    expect(problem('2026-11-15_2026-11-15')).toMatch(/isn’t over/);
    expect(problem('2026-11-01_2026-11-14')).toMatch(/isn’t added up yet/);
    expect(findReportProblem('2026-10', { ...site, lastDay: null })).toMatch(/added up/);
  });
});
