import { createRandom, type Random } from '#contract/rules/random.ts';
import { pick } from '#demo/synth/dsp/random.ts';

export type DemoListener = {
  id: string;
  username: string;
  isSubscriber: boolean;
  /** The chance that they listen on a given day, 0 to 1. */
  loyalty: number;
  /** Decides their favorite genres, which they play three times as often. */
  tasteSeed: number;
};

const LISTENERS = 180;
const SUBSCRIBER_SHARE = 0.42;

/** Usernames are combined from these words, so that they can't be mistaken for real people. */
const FIRST =
  `amber analog backyard balcony braai brass breezy cassette coastal copper corner dusty early
  fader highveld jacaranda karoo kombi late lowveld mango midnight mielie monsoon naartjie
  offbeat purple rooftop salty shebeen shongololo slow spaza stereo stoep subwoofer sunday
  sunset swing tin.roof township umbrella veld vinyl weekday winter`.split(/\s+/);
const SECOND =
  `baboon bassline biltong captain chorus dancer dassie driver echo engine gecko hadeda hat heron
  kettle kick kudu lantern loop marimba meerkat moth needle pigeon pilot radio rhythm robot
  rooibos shaker shadow signal snoek speaker springbok static tape traffic treble vetkoek walker
  whistle`.split(/\s+/);
const JOINTS = ['', '_', '.', '-'] as const;

/** The accounts for trying the demo: both have finished some mixes, started some and missed some. */
export const demoUsers: readonly DemoListener[] = [
  { id: 'demo-free', username: 'free', isSubscriber: false, loyalty: 0.18, tasteSeed: 11 },
  { id: 'demo-premium', username: 'premium', isSubscriber: true, loyalty: 0.5, tasteSeed: 7 },
];

function inventUsername(random: Random): string {
  const number = random() < 0.35 ? String(Math.floor(random() * 99) + 1) : '';
  return `${pick(random, FIRST)}${pick(random, JOINTS)}${pick(random, SECOND)}${number}`;
}

/** The demo's audience: a few listen every day, most only now and then. */
export function demoListeners(seed: number): DemoListener[] {
  const random = createRandom(seed);
  const usernames = new Set<string>();
  while (usernames.size < LISTENERS) usernames.add(inventUsername(random));
  return [...usernames].map((username, n) => {
    const isSubscriber = random() < SUBSCRIBER_SHARE;
    return {
      id: `demo-listener-${String(n + 1).padStart(3, '0')}`,
      username,
      isSubscriber,
      loyalty: 0.03 + 0.6 * random() ** 3 + (isSubscriber ? 0.06 : 0),
      tasteSeed: Math.floor(random() * 2 ** 32),
    };
  });
}
