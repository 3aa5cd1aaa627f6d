import { type DayRange, addDays, addMonths, monthOf } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import type { SiteDaysTable } from '../../db/types/report-tables.ts';
import { forEachRow } from './read-in-batches.ts';

/** One row per day, so three years are about a thousand. */
export const listSiteDays = (db: Db, { from, to }: DayRange): Promise<SiteDaysTable[]> =>
  db
    .selectFrom('site_days')
    .selectAll()
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();

export type Page<R> = { after: R | null; limit: number };

type TrackPlays = { track_id: string; plays: number };

const listDayPlays = (
  db: Db,
  { from, to }: DayRange,
  { after, limit }: Page<TrackPlays & { day: string }>,
) =>
  db
    .selectFrom('play_days')
    .select(['day', 'track_id', 'plays'])
    .where(startAfter(['day', 'track_id'], after && [after.day, after.track_id], from))
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('track_id')
    .limit(limit)
    .execute();

const listMonthPlays = (
  db: Db,
  { from, to }: { from: string; to: string },
  { after, limit }: Page<TrackPlays & { month: string }>,
) =>
  db
    .selectFrom('play_months')
    .selectAll()
    .where(startAfter(['month', 'track_id'], after && [after.month, after.track_id], from))
    .where('month', '<=', to)
    .orderBy('month')
    .orderBy('track_id')
    .limit(limit)
    .execute();

type MonthsAndDays = { months: { from: string; to: string } | null; days: DayRange[] };

const lastOfMonth = (month: string): string => addDays(addMonths(`${month}-01`, 1), -1);

/** The whole months of a range, and the days left over at both ends. */
export function splitIntoMonths({ from, to }: DayRange): MonthsAndDays {
  const first = from.endsWith('-01') ? monthOf(from) : monthOf(addMonths(from, 1));
  const last =
    to === lastOfMonth(monthOf(to)) ? monthOf(to) : monthOf(addMonths(`${monthOf(to)}-01`, -1));
  if (first > last) return { months: null, days: [{ from, to }] };
  const before = { from, to: addDays(`${first}-01`, -1) };
  const after = { from: addDays(lastOfMonth(last), 1), to };
  return {
    months: { from: first, to: last },
    days: [before, after].filter((range) => range.from <= range.to),
  };
}

/** Counted plays per track. */
export async function sumPlays(db: Db, range: DayRange): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const add = ({ track_id, plays }: TrackPlays) => {
    sums.set(track_id, (sums.get(track_id) ?? 0) + plays);
  };
  const { months, days } = splitIntoMonths(range);
  if (months)
    await forEachRow(
      (after: (TrackPlays & { month: string }) | null, limit) =>
        listMonthPlays(db, months, { after, limit }),
      add,
    );
  for (const part of days)
    await forEachRow(
      (after: (TrackPlays & { day: string }) | null, limit) =>
        listDayPlays(db, part, { after, limit }),
      add,
    );
  return sums;
}
