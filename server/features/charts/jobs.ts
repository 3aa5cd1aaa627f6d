import { daysOfWeek, daysUntil, isEarlierWeek, weekAfter } from '#contract/rules/chart.ts';
import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { formatWeekKey, parseWeekKey, weekOf, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { updateChart } from './update-chart.ts';
import { deleteChartsAfter, findFirstDay, findNewestArchived, LIVE } from './queries.ts';
import { MINUTE } from '#contract/rules/time.ts';

/** By then every server has written the plays of late Sunday. */
const LATE_PLAYS_MS = MINUTE;

async function findFirstUnarchived({ database: { db }, clock }: Deps): Promise<WeekOfYear | null> {
  let newest = await findNewestArchived(db);
  if (newest && newest.as_of > clock.now()) {
    await deleteChartsAfter(db, clock.now());
    newest = await findNewestArchived(db);
  }
  const archived = newest && parseWeekKey(newest.chart);
  if (archived) return weekAfter(archived);
  const firstDay = await findFirstDay(db);
  return firstDay ? weekOf(Date.parse(`${firstDay}T12:00:00Z`), 'UTC') : null;
}

/** Archives every week that has ended, oldest first, so that none is missing after a downtime. */
async function archiveCharts(deps: Deps, signal: AbortSignal): Promise<void> {
  const { database, clock, config } = deps;
  const currentWeek = weekOf(clock.now() - LATE_PLAYS_MS, config.timeZone);
  const first = await findFirstUnarchived(deps);
  for (let week = first; week && isEarlierWeek(week, currentWeek); week = weekAfter(week)) {
    signal.throwIfAborted();
    const { from, to } = daysOfWeek(week);
    await updateChart(database.db, {
      chart: formatWeekKey(week),
      as_of: startOfDay(daysOfWeek(weekAfter(week)).from, config.timeZone),
      from_day: from,
      to_day: to,
    });
  }
}

async function updateLiveChart({ database, clock, config }: Deps): Promise<void> {
  const now = clock.now();
  const { from, to } = daysUntil(dayOf(now, config.timeZone));
  await updateChart(database.db, { chart: LIVE, as_of: now, from_day: from, to_day: to });
}

export const updateCharts = defineSchedule({
  name: 'update-charts',
  everyMs: MINUTE,
  run: async (deps: Deps, { signal }) => {
    await archiveCharts(deps, signal);
    await updateLiveChart(deps);
  },
});
