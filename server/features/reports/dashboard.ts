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

export async function readDashboard({ database, clock, config }: Deps): Promise<Dashboard> {
  const { db } = database;
  const now = clock.now();
  const today = dayOf(now, config.timeZone);
  const week = weekOf(now, config.timeZone);
  const tracks = await listTracksOfWeek(db, week);
  const [day] = await listSiteDays(db, { from: today, to: today });
  const live = await readLive(db, now);
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
    live: { listeners: live.size, definition: LIVE_DEFINITION },
    playsToday: day?.plays ?? 0,
    attention: await listAttention(db),
  };
}
