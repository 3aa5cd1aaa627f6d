import type { Outcome } from '#contract/admin/week.ts';
import { dayOf } from '#contract/rules/days.ts';
import { addDays } from '#contract/rules/report-days.ts';
import type { Chapter } from '#contract/tracks.ts';
import { readChapters } from '../../db/read-chapters.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { sumReach } from '../reports/service.ts';
import type { TrackRow } from './queries.ts';

/** A release is over after four weeks. */
const DAYS = 28;
/** With fewer listeners, a drop would be one person. */
const ENOUGH_LISTENERS = 10;
/** Whoever gets this far has heard the mix. */
const END_PERCENT = 95;

type Reached = { reach: number; listeners: number };
type Drop = NonNullable<Outcome['drop']>;

/** The percent of the mix at which most listeners stopped, with what plays there. */
export function findDrop(
  reached: readonly Reached[],
  seconds: number,
  chapters: readonly Chapter[],
): Drop | null {
  const started = reached.reduce((sum, { listeners }) => sum + listeners, 0);
  const early = reached.filter(({ reach }) => reach < END_PERCENT);
  const most = early.toSorted((a, b) => b.listeners - a.listeners || a.reach - b.reach)[0];
  if (started < ENOUGH_LISTENERS || !most || seconds <= 0) return null;
  const at = Math.round((most.reach / 100) * seconds);
  const chapter = chapters.findLast((one) => one.at !== null && one.at <= at);
  return { at, share: most.listeners / started, chapter: chapter?.title ?? null };
}

/** How a release went so far: rollups of at most four weeks. */
export async function readOutcome(deps: Deps, track: TrackRow, today: string): Promise<Outcome> {
  const { database, config } = deps;
  const { early_ms: earlyMs } = await readAccessPolicy(deps);
  const from = dayOf((track.publish_at ?? 0) - earlyMs, config.timeZone);
  const last = addDays(from, DAYS - 1);
  const to = last < today ? last : today;
  const reached = await sumReach({ db: database.db }, track.id, { from, to });
  const started = reached.reduce((sum, { listeners }) => sum + listeners, 0);
  const finished = reached.find(({ reach }) => reach === 100)?.listeners ?? 0;
  return {
    id: track.id,
    title: track.title,
    year: track.year,
    weekNumber: track.week,
    publishAt: track.publish_at,
    plays: track.play_count,
    started,
    finished: started > 0 ? finished / started : null,
    drop: findDrop(reached, track.duration_ms / 1000, readChapters(track)),
  };
}
