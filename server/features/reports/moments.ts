import { startOfDay } from '#contract/rules/days.ts';
import { addDays, type DayRange } from '#contract/rules/report-days.ts';
import { AppError } from '../../http/app-error.ts';
import type { ListPosition, ReportContext } from './report.ts';

/** Where a list that is ordered by time begins or goes on, and where it ends. */
export type Moments = { from: number; to: number; after: [at: number, id: string] | null };

function readMoment([at, id]: ListPosition): [number, string] {
  if (!/^\d{1,15}$/.test(at)) throw new AppError('validation_failed');
  return [Number(at), id];
}

export const toMoments = (
  { timeZone }: Pick<ReportContext, 'timeZone'>,
  range: DayRange,
  after: ListPosition | null = null,
): Moments => ({
  from: startOfDay(range.from, timeZone),
  to: startOfDay(addDays(range.to, 1), timeZone),
  after: after && readMoment(after),
});
