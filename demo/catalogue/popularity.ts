import { createRandom, hashSeed } from '#demo/synth/dsp/random.ts';
import type { DemoTrack } from './demo-catalogue.ts';
import type { DemoListener } from './demo-listeners.ts';
import { WEEK } from '#contract/rules/time.ts';

/** Mixes that everybody has played to somebody else, best loved first. */
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

/** Few are played a lot, most a little; what is new is played because it is new. */
export function popularity(track: DemoTrack, at: number): number {
  if (track.publishedAt > at && !track.isEarlyAccess) return 0;
  const rank = CROWD_FAVOURITES.indexOf(track.title);
  const lasting =
    rank === -1 ? 0.12 + createRandom(track.seed)() ** 3 * 0.6 : 2.4 / (1 + rank) ** 0.6;
  const weeksOut = Math.max(0, at - track.publishedAt) / WEEK;
  return lasting + 4.5 * Math.exp(-weeksOut / 1.1);
}

/** The same listener likes the same genres every day. */
export function likes({ tasteSeed }: DemoListener, { genre }: DemoTrack): number {
  return createRandom(hashSeed(tasteSeed, genre))() < 0.35 ? 3 : 1;
}
