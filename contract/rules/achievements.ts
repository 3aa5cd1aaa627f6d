import { hourOf } from './days.ts';
import { formatWeekKey, parseWeekKey, weekDays, weekOf } from './weeks.ts';
import { DAY, WEEK } from './time.ts';

const NIGHT_ENDS_AT = 5;
const EARLY_MS = DAY;
/** Users who joined this soon after the first one are founding members. */
export const FOUNDER_MS = 30 * DAY;

/** Running totals of a user's counted plays. */
export type PlayFacts = {
  plays: number;
  /** Plays between midnight and 5 a.m. */
  nights: number;
  /** Plays within 24 hours of release. */
  earlies: number;
  /** Consecutive weeks with a play, up to the last one. */
  weekStreak: number;
  bestStreak: number;
  lastWeek: string | null;
};

export const NO_PLAYS: PlayFacts = {
  plays: 0,
  nights: 0,
  earlies: 0,
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
    nights: facts.nights + (hourOf(at, timeZone) < NIGHT_ENDS_AT ? 1 : 0),
    earlies: facts.earlies + (isEarly ? 1 : 0),
    weekStreak,
    bestStreak: Math.max(facts.bestStreak, weekStreak),
    lastWeek,
  };
}

/** Everything that achievements depend on. */
export type AchievementFacts = Pick<PlayFacts, 'plays' | 'nights' | 'earlies' | 'bestStreak'> & {
  listenedHours: number;
  finishedTracks: number;
  favorites: number;
  playlists: number;
  /** The percentage of last year's tracks that the user finished. */
  yearShare: number;
  isFounder: boolean;
};

export type AchievementRule = {
  id: string;
  title: string;
  description: string;
  goal: number;
  /** A count unless stated otherwise. */
  unit?: 'percent';
  measure: (facts: AchievementFacts) => number;
};

export const ACHIEVEMENTS: readonly AchievementRule[] = [
  {
    id: 'first-play',
    title: 'Needle down',
    description: 'Play your first mix.',
    goal: 1,
    measure: (facts) => facts.plays,
  },
  {
    id: 'plays-10',
    title: 'Ten plays',
    description: 'Press play ten times.',
    goal: 10,
    measure: (facts) => facts.plays,
  },
  {
    id: 'plays-100',
    title: 'One hundred',
    description: 'Press play a hundred times.',
    goal: 100,
    measure: (facts) => facts.plays,
  },
  {
    id: 'hours-10',
    title: 'Ten hours',
    description: 'Listen for ten hours in total.',
    goal: 10,
    measure: (facts) => facts.listenedHours,
  },
  {
    id: 'hours-100',
    title: 'Hundred hours',
    description: 'Listen for a hundred hours in total.',
    goal: 100,
    measure: (facts) => facts.listenedHours,
  },
  {
    id: 'finished-10',
    title: 'To the run-out groove',
    description: 'Finish ten mixes.',
    goal: 10,
    measure: (facts) => facts.finishedTracks,
  },
  {
    id: 'streak-4',
    title: 'Four on the floor',
    description: 'Listen four weeks in a row.',
    goal: 4,
    measure: (facts) => facts.bestStreak,
  },
  {
    id: 'streak-12',
    title: 'Unbroken season',
    description: 'Listen twelve weeks in a row.',
    goal: 12,
    measure: (facts) => facts.bestStreak,
  },
  {
    id: 'streak-52',
    title: 'All year round',
    description: 'Listen fifty-two weeks in a row.',
    goal: 52,
    measure: (facts) => facts.bestStreak,
  },
  {
    id: 'whole-year',
    title: 'Completist',
    description: 'Finish every mix of a year.',
    goal: 100,
    unit: 'percent',
    measure: (facts) => facts.yearShare,
  },
  {
    id: 'night',
    title: 'Night listener',
    description: 'Play five mixes between midnight and 5 a.m.',
    goal: 5,
    measure: (facts) => facts.nights,
  },
  {
    id: 'early-bird',
    title: 'Early bird',
    description: 'Play three mixes within 24 hours of release.',
    goal: 3,
    measure: (facts) => facts.earlies,
  },
  {
    id: 'first-favorite',
    title: 'First heart',
    description: 'Add a mix to your favorites.',
    goal: 1,
    measure: (facts) => facts.favorites,
  },
  {
    id: 'favorites-25',
    title: 'Collector',
    description: 'Add 25 favorites.',
    goal: 25,
    measure: (facts) => facts.favorites,
  },
  {
    id: 'playlist',
    title: 'Playlist maker',
    description: 'Create a playlist.',
    goal: 1,
    measure: (facts) => facts.playlists,
  },
  {
    id: 'founder',
    title: 'Founding member',
    description: 'Joined in the first month.',
    goal: 1,
    measure: (facts) => (facts.isFounder ? 1 : 0),
  },
];

/** No goal needs a higher count of favorites or playlists. */
export const MAX_COUNTED = 25;

/** Progress towards the goal, never above it. */
export const findProgress = ({ goal, measure }: AchievementRule, facts: AchievementFacts): number =>
  Math.min(goal, Math.floor(measure(facts)));
