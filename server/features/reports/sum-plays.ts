import { addDays, addMonths, monthOf, type DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { listDayPlays, listMonthPlays, type TrackPlays } from './play-queries.ts';
import { readParts } from './read-parts.ts';

type Pieces = { months: { from: string; to: string } | null; days: DayRange[] };

const lastOfMonth = (month: string): string => addDays(addMonths(`${month}-01`, 1), -1);

/** Whole months, and the days at both ends that are none. */
export function cutIntoMonths({ from, to }: DayRange): Pieces {
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

/** Counted plays of each mix in these days. */
export async function sumPlays(db: Db, range: DayRange): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const add = ({ track_id, plays }: TrackPlays) => {
    sums.set(track_id, (sums.get(track_id) ?? 0) + plays);
  };
  const { months, days } = cutIntoMonths(range);
  if (months)
    await readParts(
      (after: (TrackPlays & { month: string }) | null, limit) =>
        listMonthPlays(db, months, { after, limit }),
      add,
    );
  for (const part of days)
    await readParts(
      (after: (TrackPlays & { day: string }) | null, limit) =>
        listDayPlays(db, part, { after, limit }),
      add,
    );
  return sums;
}
