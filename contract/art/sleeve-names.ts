import { hashSeed } from '../rules/random.ts';
import type { SleeveFamily, SleeveStyle } from './sleeve-style.ts';

/**
 * The demo numbers its ids within each week, and the first one looks like the week itself. All other
 * ids are random.
 */
export function findSleeveSeed(trackId: string): number {
  const [, number] = /^demo-.*-(\d+)$/.exec(trackId) ?? [];
  return number ? (Number(number) - 1) >>> 0 : hashSeed(trackId);
}

export const SLEEVE_FOLDER = '/media/sleeves/';

/** How names begin. */
const FAMILY_LETTERS: Record<SleeveFamily, string> = {
  all: '',
  records: 'r',
  landscapes: 'l',
  patterns: 'p',
};

/**
 * What is on a sleeve, so that a file with this name never changes: `46`, `46-2864434397`, and `rn46`
 * for a record in the colour of the north.
 */
export function sleeveName(
  { family, hemisphere }: SleeveStyle,
  week: number,
  trackId?: string,
): string {
  const seed = trackId === undefined ? 0 : findSleeveSeed(trackId);
  const style = FAMILY_LETTERS[family] + (hemisphere === 'north' ? 'n' : '');
  return style + (seed === 0 ? String(week) : `${week}-${seed}`);
}

export const MAX_ON_SHEET = 20;

/** Where the server draws a sleeve, or several next to each other: a list of them is one file. */
export const sleevePath = (...names: readonly string[]): string =>
  `${SLEEVE_FOLDER}${names.join('_')}.svg`;

const families = Object.keys(FAMILY_LETTERS) as SleeveFamily[];
const MAX_SEED = 0xffffffff;

/** What a name of `sleeveName` says; undefined for every other text. */
export function parseSleeveName(
  name: string,
): { style: SleeveStyle; week: number; seed: number } | undefined {
  const [, letter, north, week, seed = '0'] =
    /^([rlp]?)(n?)([1-9]|[1-4]\d|5[0-3])(?:-([1-9]\d{0,9}))?$/.exec(name) ?? [];
  const family = families.find((one) => FAMILY_LETTERS[one] === letter);
  if (!family || week === undefined || Number(seed) > MAX_SEED) return undefined;
  const style: SleeveStyle = { family, hemisphere: north ? 'north' : 'south' };
  return { style, week: Number(week), seed: Number(seed) };
}
