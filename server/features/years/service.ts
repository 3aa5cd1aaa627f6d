import { MAX_EARLY_ACCESS_HOURS } from '#contract/rules/access.ts';
import { dayOf } from '#contract/rules/days.ts';
import { findListeningState } from '#contract/rules/progress.ts';
import { HOUR } from '#contract/rules/time.ts';
import { weekDays, weekOf, weeksInYear } from '#contract/rules/weeks.ts';
import { buildYearBars, type WeekBar } from '#contract/rules/year-bars.ts';
import {
  describeSiteYear,
  describeYear,
  findYearFacts,
  type YearFact,
} from '#contract/rules/year.ts';
import type { Track } from '#contract/tracks.ts';
import type { YearShare, YearView } from '#contract/years.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { newToken } from '../../http/route/tokens.ts';
import { readLook } from '../look/service.ts';
import { cardLookOf, type CardYear } from '../public-pages/service.ts';
import { addOwnStates, getFacets, listVisibleTracks } from '../tracks/service.ts';
import {
  deleteShare,
  findShare,
  findSharedYear,
  listYearPlays,
  saveShare,
  sumSiteYear,
} from './queries.ts';

export { exportSharedYears } from './queries.ts';

const PAGE_SIZE = 100;

async function listAll(deps: Deps, viewer: Viewer | null, year: number): Promise<Track[]> {
  const tracks: Track[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listVisibleTracks(deps, viewer, { year, cursor, limit: PAGE_SIZE });
    tracks.push(...page.items);
    if (page.nextCursor === null) return tracks;
    cursor = page.nextCursor;
  }
}

/** The first mix of a week first. */
const inOrder = (tracks: readonly Track[]): Track[] =>
  tracks.toSorted((a, b) => a.weekNumber - b.weekNumber || a.publishedAt - b.publishedAt);

/** A year without a mix, before the first one or in the future, doesn’t exist. */
async function listYear(deps: Deps, viewer: Viewer | null, year: number): Promise<Track[]> {
  const tracks = await listAll(deps, viewer, year);
  if (tracks.length === 0) throw new AppError('not_found');
  return inOrder(viewer ? await addOwnStates(deps, viewer, tracks) : tracks);
}

const thisWeekOf = ({ clock, config }: Deps) => weekOf(clock.now(), config.timeZone);

/** Weeks after it are still to come. */
function lastWeekOf(deps: Deps, year: number): number {
  const now = thisWeekOf(deps);
  return now.year > year ? weeksInYear(year) : now.year < year ? 0 : now.week;
}

async function listYears(deps: Deps, viewer: Viewer | null): Promise<number[]> {
  const { years } = await getFacets(deps, viewer);
  const { year: latest } = thisWeekOf(deps);
  return years.filter((year) => year <= latest).toSorted((a, b) => b - a);
}

/** The first mix of a year may be heard before the year begins. */
const MAX_EARLY_MS = MAX_EARLY_ACCESS_HOURS * HOUR;

const isHeard = (track: Track): boolean => findListeningState(track) === 'heard';

type Year = { year: number; tracks: Track[]; heard: Track[]; bars: WeekBar[]; facts: YearFact[] };

async function readYear(
  deps: Deps,
  viewer: Viewer,
  { year, hideTitle }: { year: number; hideTitle?: (track: Track) => boolean },
): Promise<Year> {
  if (year > thisWeekOf(deps).year) throw new AppError('not_found');
  const tracks = await listYear(deps, viewer, year);
  const since = weekDays({ year, week: 1 }).monday - MAX_EARLY_MS;
  const plays = await listYearPlays(deps.database.db, { userId: viewer.user.id, year, since });
  const titled = tracks.map((track) => (hideTitle?.(track) ? { ...track, title: '' } : track));
  return {
    year,
    tracks,
    heard: tracks.filter(isHeard),
    bars: buildYearBars(tracks, { year, week: lastWeekOf(deps, year) }),
    facts: describeYear(findYearFacts(titled, plays, deps.config.timeZone)),
  };
}

const titleFor = (username: string): string => `${username}’s year`;

const presentYear = (
  { year, tracks, bars, facts }: Year,
  { years, title }: Pick<YearView, 'years' | 'title'>,
  isShown: (track: Track) => boolean,
): YearView => ({
  year,
  years,
  title,
  bars,
  facts,
  tracks: tracks.map((track) => ({
    id: track.id,
    title: track.title,
    week: track.weekNumber,
    coverUrl: track.coverUrl,
    isHeard: isShown(track),
  })),
});

const presentShare = (row: { token: string; has_name: 0 | 1 } | undefined): YearShare =>
  row ? { token: row.token, hasName: row.has_name === 1 } : null;

export async function getYear(
  deps: Deps,
  viewer: Viewer,
  year: number,
): Promise<YearView & { share: YearShare }> {
  const found = await readYear(deps, viewer, { year });
  const years = await listYears(deps, viewer);
  const share = await findShare(deps.database.db, { userId: viewer.user.id, year });
  const title = titleFor(viewer.user.username);
  return { ...presentYear(found, { years, title }, isHeard), share: presentShare(share) };
}

export async function shareYear(
  deps: Deps,
  viewer: Viewer,
  { year, hasName }: { year: number; hasName: boolean },
): Promise<NonNullable<YearShare>> {
  await readYear(deps, viewer, { year });
  const { token, has_name } = await saveShare(deps.database.db, {
    user_id: viewer.user.id,
    year,
    token: newToken(),
    has_name: hasName ? 1 : 0,
    created_at: deps.clock.now(),
  });
  return { token, hasName: has_name === 1 };
}

export const unshareYear = async (deps: Deps, viewer: Viewer, year: number): Promise<void> =>
  void (await deleteShare(deps.database.db, { userId: viewer.user.id, year }));

/** As many sleeves as the square of a week shows. */
const MAX_OF_WEEK = 4;

const coverKeyOf = ({ coverUrl }: Track): string | null =>
  coverUrl && `covers/${coverUrl.split('/').at(-1)}`;

function buildCard(
  deps: Deps,
  { year, bars, facts }: Omit<Year, 'tracks' | 'heard'>,
  shown: readonly Track[],
  { title, note }: Pick<CardYear, 'title' | 'note'>,
): { look: ReturnType<typeof cardLookOf>; year: CardYear } {
  const sleeves = [...Map.groupBy(shown, (track) => track.weekNumber).values()].flatMap((ofWeek) =>
    ofWeek.slice(0, MAX_OF_WEEK).map((track) => ({
      id: track.id,
      week: track.weekNumber,
      coverKey: coverKeyOf(track),
    })),
  );
  return { look: cardLookOf(readLook(deps)), year: { year, title, note, sleeves, bars, facts } };
}

const hostOf = ({ site }: Deps): string => new URL(site.origin).host;

const noteFor = (deps: Deps): string =>
  `Sleeves are weeks heard; numbers are weeks still waiting. ${hostOf(deps)}`;

/** The year as its member saves it. */
export async function getYearCard(deps: Deps, viewer: Viewer, year: number) {
  const found = await readYear(deps, viewer, { year });
  const title = titleFor(viewer.user.username);
  return buildCard(deps, found, found.heard, { title, note: noteFor(deps) });
}

/**
 * The year at a public address. What not everybody may see of a mix, its title and its cover, isn’t on
 * it: such a week has its drawn sleeve only.
 */
export async function getSharedYearCard(deps: Deps, token: string) {
  const row = await findSharedYear(deps.database.db, token);
  if (!row || row.is_disabled) throw new AppError('not_found');
  const { year, has_name, is_disabled: _, ...user } = row;
  const viewer = { user: { ...user, ...(await readAccessPolicy(deps)) } };
  const forAll = new Set((await listAll(deps, null, year)).map(({ id }) => id));
  const isPrivate = ({ id }: Track) => !forAll.has(id);
  const found = await readYear(deps, viewer, { year, hideTitle: isPrivate });
  const shown = found.heard.map((track) =>
    isPrivate(track) ? { ...track, coverUrl: null } : track,
  );
  const title = has_name ? titleFor(user.username) : 'My year';
  return buildCard(deps, found, shown, { title, note: noteFor(deps) });
}

async function readSiteYear(deps: Deps, year: number): Promise<Year> {
  if (year > thisWeekOf(deps).year) throw new AppError('not_found');
  const tracks = await listYear(deps, null, year);
  const day = (at: number) => dayOf(at, 'UTC');
  const sums = await sumSiteYear(deps.database.db, {
    from: day(weekDays({ year, week: 1 }).monday),
    to: day(weekDays({ year, week: weeksInYear(year) }).sunday),
  });
  return {
    year,
    tracks,
    heard: tracks,
    // Every mix is solid.
    bars: buildYearBars(
      tracks.map((track) => ({ ...track, progress: { ...HEARD, listened: track.duration } })),
      { year, week: lastWeekOf(deps, year) },
    ),
    facts: describeSiteYear({ ...sums, tracks }),
  };
}

const HEARD = { position: 0, isFinished: true };

/** The year of the show, as everyone may see it. */
export async function getSiteYear(deps: Deps, year: number): Promise<YearView> {
  const found = await readSiteYear(deps, year);
  const years = await listYears(deps, null);
  return presentYear(found, { years, title: SITE_TITLE }, () => true);
}

const SITE_TITLE = 'Every mix of the year';

export async function getSiteYearCard(deps: Deps, year: number) {
  const found = await readSiteYear(deps, year);
  return buildCard(deps, found, found.heard, { title: SITE_TITLE, note: hostOf(deps) });
}
