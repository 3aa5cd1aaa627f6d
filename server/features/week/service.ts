import type { People, Recipients, StagedTrack, Week, WeekTrack } from '#contract/admin/week.ts';
import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { addDays } from '#contract/rules/report-days.ts';
import { weekOf, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Db } from '../../db/connect.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { listAttention, readChecks } from '../attention/service.ts';
import { getCatalogueDetail } from '../catalogue/service.ts';
import { countLeft } from '../departures/service.ts';
import { countRecipients } from '../releases/service.ts';
import { findLiveListeners, listSiteDays } from '../reports/service.ts';
import { readOutcome } from './outcome.ts';
import {
  countJoined,
  findLastRelease,
  findNewestTrack,
  findTrack,
  listComingTracks,
  listJoinedFrom,
  listTracksOfWeek,
  type TrackRow,
} from './queries.ts';

export { readFirstSteps, skipStep } from './first-steps.ts';

type Moment = { now: number; earlyMs: number };

const isOut = ({ publish_at, status }: TrackRow, now: number): boolean =>
  status === 'ready' && publish_at !== null && publish_at <= now;

function findStage({ publish_at: at }: TrackRow, { now, earlyMs }: Moment): WeekTrack['stage'] {
  if (at === null) return 'draft';
  if (at <= now) return 'out';
  return at - earlyMs <= now ? 'early' : 'scheduled';
}

const presentTrack = (track: TrackRow, moment: Moment): WeekTrack => ({
  id: track.id,
  title: track.title,
  year: track.year,
  weekNumber: track.week,
  status: track.status,
  progress: track.progress,
  failure: track.failure,
  publishAt: track.publish_at,
  stage: findStage(track, moment),
  plays: track.play_count,
});

/**
 * The one to work on: what isn’t out of this week, or has just come out; then what comes next. On a
 * new site any upload is, whatever its week.
 */
async function findStaged(
  db: Db,
  {
    week,
    coming,
    now,
    wanted,
  }: Record<'week' | 'coming', TrackRow[]> & {
    now: number;
    wanted: string | undefined;
  },
): Promise<TrackRow | undefined> {
  const chosen = wanted === undefined ? undefined : await findTrack(db, wanted);
  if (chosen) return chosen;
  // The release that comes first is at the end of the list.
  const due = week.findLast((track) => !isOut(track, now));
  const found = due ?? week[0] ?? coming[0];
  if (found) return found;
  return (await findLastRelease(db, now)) ? undefined : findNewestTrack(db);
}

async function presentStaged(deps: Deps, track: TrackRow, moment: Moment): Promise<StagedTrack> {
  return {
    ...(await getCatalogueDetail(deps, track.id)),
    stage: findStage(track, moment),
    recipients: await countRecipients(deps, track.id),
  };
}

/** Since the last release, or the last seven days if that is longer ago. */
async function readPeople(
  { database, config }: Deps,
  last: TrackRow | undefined,
  today: string,
): Promise<People> {
  const weekAgo = addDays(today, -7);
  const released = last?.publish_at ? dayOf(last.publish_at, config.timeZone) : '';
  const isRecent = last !== undefined && released >= weekAgo;
  const since = isRecent ? released : weekAgo;
  const days = { from: since, to: today };
  const reasons = await countLeft(database.db, {
    since: startOfDay(since, config.timeZone),
    until: startOfDay(addDays(today, 1), config.timeZone),
  });
  return {
    since,
    release: isRecent ? { id: last.id, title: last.title, weekNumber: last.week } : null,
    joined: await countJoined(database.db, days),
    joinedFrom: await listJoinedFrom(database.db, days),
    left: reasons.reduce((sum, { count }) => sum + count, 0),
    reasons,
  };
}

async function countPlays(db: Db, today: string): Promise<number> {
  const [day] = await listSiteDays(db, { from: today, to: today });
  return day?.plays ?? 0;
}

/** A different text whenever a live figure, a listener or what they hear has changed. */
export async function readPulse({ database: { db }, clock, config }: Deps): Promise<string> {
  const now = clock.now();
  const today = dayOf(now, config.timeZone);
  const playsToday = await countPlays(db, today);
  const listening = await findLiveListeners(db, now);
  const listeners = Array.from(listening, ([listener, trackId]) => `${listener} ${trackId}`);
  return [today, playsToday, ...listeners.toSorted()].join('/');
}

export async function readRecipients(deps: Deps, trackId: string): Promise<Recipients> {
  if (!(await findTrack(deps.database.db, trackId))) throw new AppError('not_found');
  return countRecipients(deps, trackId);
}

/** What an administrator needs on the day of a release. `wanted` is a track to show instead. */
export async function readWeek(deps: Deps, wanted?: string): Promise<Week> {
  const { db } = deps.database;
  const { timeZone } = deps.config;
  const now = deps.clock.now();
  const today = dayOf(now, timeZone);
  const week: WeekOfYear = weekOf(now, timeZone);
  const { early_ms: earlyMs } = await readAccessPolicy(deps);
  const { releaseDay, releaseHour, earlyAccessHours } = await readSettings(db, now);
  const moment = { now, earlyMs };
  const releases = await listTracksOfWeek(db, week);
  const coming = await listComingTracks(db, week, now);
  const staged = await findStaged(db, { week: releases, coming, now, wanted });
  const last = await findLastRelease(db, now);
  const shown = staged && isOut(staged, now) ? staged : last;
  return {
    asOf: now,
    today,
    week,
    rhythm: { releaseDay, releaseHour, earlyAccessHours },
    staged: staged ? await presentStaged(deps, staged, moment) : null,
    releases: releases.map((track) => presentTrack(track, moment)),
    coming: coming.map((track) => presentTrack(track, moment)),
    outcome: shown ? await readOutcome(deps, shown, today) : null,
    people: await readPeople(deps, last, today),
    playsToday: await countPlays(db, today),
    attention: await listAttention(deps),
    checks: await readChecks(deps),
  };
}
