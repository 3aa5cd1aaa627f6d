import { daysOfWeek, daysUntil, isEarlierWeek, weekAfter } from '#contract/rules/chart.ts';
import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { formatWeekKey, parseWeekKey, weekOf, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { drawChart } from './draw-chart.ts';
import { findFirstDay, findNewestFrozen, LIVE } from './queries.ts';
import { MINUTE } from '#contract/rules/time.ts';

/** A play that was counted in the last moment of Sunday is written by then, by any server. */
const SETTLE_MS = MINUTE;

async function findFirstUnfrozen({ database: { db } }: Deps): Promise<WeekOfYear | null> {
  const newest = await findNewestFrozen(db);
  const frozen = newest && parseWeekKey(newest.chart);
  if (frozen) return weekAfter(frozen);
  const firstDay = await findFirstDay(db);
  return firstDay ? weekOf(Date.parse(`${firstDay}T12:00:00Z`), 'UTC') : null;
}

/** Every week that has ended gets its chart, the oldest first: after a downtime none is missing. */
async function freezeCharts(deps: Deps, signal: AbortSignal): Promise<void> {
  const { database, clock, config } = deps;
  const running = weekOf(clock.now() - SETTLE_MS, config.timeZone);
  const first = await findFirstUnfrozen(deps);
  for (let week = first; week && isEarlierWeek(week, running); week = weekAfter(week)) {
    signal.throwIfAborted();
    const { from, to } = daysOfWeek(week);
    await drawChart(database.db, {
      chart: formatWeekKey(week),
      as_of: startOfDay(daysOfWeek(weekAfter(week)).from, config.timeZone),
      from_day: from,
      to_day: to,
    });
  }
}

async function drawLiveChart({ database, clock, config }: Deps): Promise<void> {
  const now = clock.now();
  const { from, to } = daysUntil(dayOf(now, config.timeZone));
  await drawChart(database.db, { chart: LIVE, as_of: now, from_day: from, to_day: to });
}

export const drawCharts = defineSchedule({
  name: 'draw-charts',
  everyMs: MINUTE,
  run: async (deps: Deps, { signal }) => {
    await freezeCharts(deps, signal);
    await drawLiveChart(deps);
  },
});
