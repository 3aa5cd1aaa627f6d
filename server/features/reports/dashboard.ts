import type { Dashboard } from '#contract/reports.ts';
import { dayOf } from '#contract/rules/days.ts';
import { EARLY_ACCESS_MS } from '#contract/rules/release.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { Deps } from '../../deps.ts';
import { listAttention } from './attention.ts';
import { LIVE_DEFINITION, readLive } from './live-report.ts';
import { listSiteDays } from './play-queries.ts';
import { listTracksOfWeek } from './track-queries.ts';

type Release = Dashboard['releases'][number];

export function findStage(publishAt: number | null, now: number): Release['stage'] {
  if (publishAt === null) return 'draft';
  if (publishAt <= now) return 'out';
  return publishAt - EARLY_ACCESS_MS <= now ? 'early' : 'scheduled';
}

/** What moves without anybody doing something here: who listens, and how often today. */
async function readMoment({ database, clock, config }: Deps) {
  const now = clock.now();
  const today = dayOf(now, config.timeZone);
  const [day] = await listSiteDays(database.db, { from: today, to: today });
  const live = await readLive(database.db, now);
  return { now, today, playsToday: day?.plays ?? 0, listeners: live.size };
}

/** Another text whenever one of them has moved. */
export async function readPulse(deps: Deps): Promise<string> {
  const { today, playsToday, listeners } = await readMoment(deps);
  return [today, playsToday, listeners].join('/');
}

export async function readDashboard(deps: Deps): Promise<Dashboard> {
  const { db } = deps.database;
  const { now, today, playsToday, listeners } = await readMoment(deps);
  const week = weekOf(now, deps.config.timeZone);
  const tracks = await listTracksOfWeek(db, week);
  return {
    asOf: now,
    today,
    week,
    releases: tracks.map((track) => ({
      id: track.id,
      title: track.title,
      status: track.status,
      progress: track.progress,
      failure: track.failure,
      publishAt: track.publish_at,
      stage: findStage(track.publish_at, now),
      plays: track.play_count,
    })),
    live: { listeners, definition: LIVE_DEFINITION },
    playsToday,
    attention: await listAttention(db),
  };
}
