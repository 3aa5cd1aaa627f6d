import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { createRandom, hashSeed, type Random } from '#contract/rules/random.ts';
import { between } from '#demo/synth/dsp/random.ts';
import { DAY, HOUR, WEEK } from '#contract/rules/time.ts';
import type { DemoTrack } from './demo-tracks.ts';
import type { DemoListener } from './demo-listeners.ts';

export type DemoPlay = {
  id: string;
  trackId: string;
  listenerId: string;
  startedAt: number;
  secondsListened: number;
  /** Played the full mix to the end. */
  isCompleted: boolean;
  /** Only subscribers hear more than the preview. */
  isSubscriber: boolean;
};

type DemoFavorite = { trackId: string; listenerId: string; createdAt: number };

const DAYS = 84;
/** Johannesburg is always two hours ahead of UTC. */
const SAST = 2 * HOUR;
/** Listening from Monday to Sunday, relative to an average day. */
const WEEKDAYS = [0.7, 0.7, 0.8, 0.95, 1.6, 1.4, 1.1] as const;

/** Commuters listen in the morning, most people in the evening, hardly anyone at night. */
function timeOfDay(random: Random): number {
  const hour = random() < 0.25 ? between(random, 6, 10) : 11 + 12.5 * random() ** 0.7;
  return hour * HOUR;
}

function chooseTrack(random: Random, catalogue: readonly DemoTrack[], weights: readonly number[]) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = random() * total;
  return catalogue.find((_, n) => (left -= weights[n] ?? 0) < 0);
}

function chooseSeconds(random: Random, track: DemoTrack, isSubscriber: boolean): number {
  const audible = isSubscriber ? track.duration : Math.min(track.duration, PREVIEW_SECONDS);
  const share = random() < 0.55 ? 1 : random();
  return Math.round(Math.max(2, audible * share) * 10) / 10;
}

/** One session: a few mixes in a row, none twice. */
function listen(
  random: Random,
  catalogue: readonly DemoTrack[],
  listener: DemoListener,
  startsAt: number,
): Omit<DemoPlay, 'id'>[] {
  const { isSubscriber } = listener;
  const weights = catalogue.map((track) =>
    (track.isEarlyAccess || track.isSubscriberOnly) && !isSubscriber
      ? 0
      : popularity(track, startsAt) * likes(listener, track),
  );
  const plays: Omit<DemoPlay, 'id'>[] = [];
  let startedAt = startsAt;
  for (let left = 1 + Math.floor(random() ** 2 * 4); left > 0; left--) {
    const track = chooseTrack(random, catalogue, weights);
    if (!track) break;
    const secondsListened = chooseSeconds(random, track, isSubscriber);
    plays.push({
      trackId: track.id,
      listenerId: listener.id,
      startedAt,
      secondsListened,
      isCompleted: isSubscriber && secondsListened >= track.duration,
      isSubscriber,
    });
    weights[catalogue.indexOf(track)] = 0;
    startedAt += Math.round((secondsListened + between(random, 2, 30)) * 1000);
  }
  return plays;
}

/** About twelve weeks of plays up to `now`, oldest first; the audience grows over time. */
export function demoPlays(
  catalogue: readonly DemoTrack[],
  listeners: readonly DemoListener[],
  now: number,
): DemoPlay[] {
  const today = Math.floor((now + SAST) / DAY);
  // Early access lasts two days: before that, not even subscribers can play it.
  const isAvailable = (track: DemoTrack, at: number) => !track.isEarlyAccess || at > now - 2 * DAY;
  const plays = Array.from({ length: DAYS }, (_, n) => today - DAYS + 1 + n).flatMap((day) => {
    const growth = 0.55 + 0.45 * (1 - (today - day) / DAYS);
    const weekday = WEEKDAYS[(day + 3) % 7] ?? 1;
    return listeners.flatMap((listener) => {
      const random = createRandom(hashSeed(listener.id, day));
      if (random() > listener.loyalty * growth * weekday) return [];
      const startsAt = Math.round(day * DAY - SAST + timeOfDay(random));
      const available = catalogue.filter((track) => isAvailable(track, startsAt));
      return listen(random, available, listener, startsAt);
    });
  });
  return plays
    .filter(({ startedAt, secondsListened }) => startedAt + secondsListened * 1000 <= now)
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map((play, n) => ({ id: `demo-play-${String(n + 1).padStart(5, '0')}`, ...play }));
}

/** Someone who played a mix to the end is more likely to add it to their favorites. */
export function demoFavorites(plays: readonly DemoPlay[]): DemoFavorite[] {
  const favorites = new Map<string, DemoFavorite>();
  for (const { trackId, listenerId, startedAt, secondsListened, isCompleted } of plays) {
    const key = `${listenerId}/${trackId}`;
    const chance = createRandom(hashSeed(key, startedAt))();
    if (favorites.has(key) || chance > (isCompleted ? 0.3 : 0.08)) continue;
    const createdAt = startedAt + Math.round(secondsListened * 500);
    favorites.set(key, { trackId, listenerId, createdAt });
  }
  return [...favorites.values()];
}

/** The most popular mixes, best first. */
const CROWD_FAVOURITES: readonly string[] = [
  'First Braai',
  'Salt & Sirens',
  'Mango Season',
  'Stage Four',
  'Slow Bounce Theory',
  'Blue Hour, Joburg',
  'Namaqua Bloom',
  'Rooftop, Braamfontein',
  'Green Robots',
  'Log Drum Logic',
  'Night Bus to Durban',
  'High Summer Circuit',
];

/** A few mixes are played a lot and most a little; new ones get extra plays. */
function popularity(track: DemoTrack, at: number): number {
  if (track.publishedAt > at && !track.isEarlyAccess) return 0;
  const rank = CROWD_FAVOURITES.indexOf(track.title);
  const lasting =
    rank === -1 ? 0.12 + createRandom(track.seed)() ** 3 * 0.6 : 2.4 / (1 + rank) ** 0.6;
  const weeksOut = Math.max(0, at - track.publishedAt) / WEEK;
  return lasting + 4.5 * Math.exp(-weeksOut / 1.1);
}

/** A listener likes the same genres every day. */
function likes({ tasteSeed }: DemoListener, { genre }: DemoTrack): number {
  return createRandom(hashSeed(tasteSeed, genre))() < 0.35 ? 3 : 1;
}
