import { hourOf } from '#contract/rules/days.ts';
import { formatWeekKey, parseWeekKey, weekDays, weekOf } from '#contract/rules/weeks.ts';
import { DAY, WEEK } from '#contract/rules/time.ts';

const NIGHT_ENDS_AT = 5;
const EARLY_MS = DAY;
/** Users who joined this soon after the first one are founding members. */
export const FOUNDER_MS = 30 * DAY;

/** Running totals of a user's counted plays. */
export type PlayFacts = {
  plays: number;
  /** Plays between midnight and 5 a.m. */
  nightPlays: number;
  /** Plays within 24 hours of release. */
  earlyPlays: number;
  /** Consecutive weeks with a play, up to the last one. */
  weekStreak: number;
  bestStreak: number;
  lastWeek: string | null;
};

export const NO_PLAYS: PlayFacts = {
  plays: 0,
  nightPlays: 0,
  earlyPlays: 0,
  weekStreak: 0,
  bestStreak: 0,
  lastWeek: null,
};

type CountedPlay = { at: number; publishedAt: number | null; timeZone: string };

function continueStreak({ weekStreak, lastWeek }: PlayFacts, week: string, monday: number): number {
  if (lastWeek === week) return weekStreak;
  const last = lastWeek === null ? null : parseWeekKey(lastWeek);
  return last && weekDays(last).monday + WEEK === monday ? weekStreak + 1 : 1;
}

export function addPlay(facts: PlayFacts, { at, publishedAt, timeZone }: CountedPlay): PlayFacts {
  const week = weekOf(at, timeZone);
  const lastWeek = formatWeekKey(week);
  const weekStreak = continueStreak(facts, lastWeek, weekDays(week).monday);
  const isEarly = publishedAt !== null && at < publishedAt + EARLY_MS;
  return {
    plays: facts.plays + 1,
    nightPlays: facts.nightPlays + (hourOf(at, timeZone) < NIGHT_ENDS_AT ? 1 : 0),
    earlyPlays: facts.earlyPlays + (isEarly ? 1 : 0),
    weekStreak,
    bestStreak: Math.max(facts.bestStreak, weekStreak),
    lastWeek,
  };
}

/** Everything that achievements depend on. */
export type AchievementFacts = Pick<
  PlayFacts,
  'plays' | 'nightPlays' | 'earlyPlays' | 'bestStreak'
> & {
  listenedHours: number;
  finishedTracks: number;
  favorites: number;
  playlists: number;
  /** The percentage of last year's tracks that the user finished. */
  yearShare: number;
  isFounder: boolean;
};

type AchievementRule = {
  id: string;
  title: string;
  description: string;
  goal: number;
  unit: 'count' | 'percent';
  /** What counts towards the goal. */
  fact: keyof AchievementFacts;
};

/** What counts towards the goal, the id, the goal, the title and the description. */
const TABLE: readonly [keyof AchievementFacts, string, number, string, string][] = [
  ['plays', 'first-play', 1, 'Needle down', 'Play your first mix.'],
  ['plays', 'plays-10', 10, 'Ten plays', 'Press play ten times.'],
  ['plays', 'plays-100', 100, 'One hundred', 'Press play a hundred times.'],
  ['listenedHours', 'hours-10', 10, 'Ten hours', 'Listen for ten hours in total.'],
  ['listenedHours', 'hours-100', 100, 'Hundred hours', 'Listen for a hundred hours in total.'],
  ['finishedTracks', 'finished-10', 10, 'To the run-out groove', 'Finish ten mixes.'],
  ['bestStreak', 'streak-4', 4, 'Four on the floor', 'Listen four weeks in a row.'],
  ['bestStreak', 'streak-12', 12, 'Unbroken season', 'Listen twelve weeks in a row.'],
  ['bestStreak', 'streak-52', 52, 'All year round', 'Listen fifty-two weeks in a row.'],
  ['yearShare', 'whole-year', 100, 'Completist', 'Finish every mix of a year.'],
  ['nightPlays', 'night', 5, 'Night listener', 'Play five mixes between midnight and 5 a.m.'],
  ['earlyPlays', 'early-bird', 3, 'Early bird', 'Play three mixes within 24 hours of release.'],
  ['favorites', 'first-favorite', 1, 'First heart', 'Add a mix to your favorites.'],
  ['favorites', 'favorites-25', 25, 'Collector', 'Add 25 favorites.'],
  ['playlists', 'playlist', 1, 'Playlist maker', 'Create a playlist.'],
  ['isFounder', 'founder', 1, 'Founding member', 'Joined in the first month.'],
];

export const ACHIEVEMENTS = TABLE.map(([fact, id, goal, title, description]): AchievementRule => ({
  fact,
  id,
  goal,
  title,
  description,
  unit: fact === 'yearShare' ? 'percent' : 'count',
}));

/** No goal needs a higher count of favorites or playlists. */
export const MAX_COUNTED = 25;

/** Progress towards the goal, never above it. */
export const findProgress = ({ goal, fact }: AchievementRule, facts: AchievementFacts): number =>
  Math.min(goal, Math.floor(Number(facts[fact])));
