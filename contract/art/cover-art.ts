import { drawings, SLEEVE_SIZE, variants, type Ground } from './cover-drawings.ts';
import { createRandom, hashSeed } from '../rules/random.ts';
import { oklchToHex, weekColor, weekHue, wrap } from '../rules/week-colour.ts';

type CoverArtOptions = {
  week: number;
  /** Makes two tracks of a week look different; the hue is always the week's. */
  trackId?: string | undefined;
  /** Instead of the track. */
  seed?: number;
  variant?: number;
  size?: number;
  title?: string;
};

/** Four grounds, so that sleeves of a similar hue still look different. */
function chooseGround(week: number, seed: number): Ground {
  const h = weekHue(week);
  const { signal } = weekColor(week);
  const vivid = oklchToHex(signal.l, signal.c, h);
  const deep = oklchToHex(0.235, 0.06, h);
  const mid = oklchToHex(0.5, 0.15, h);
  const tint = oklchToHex(0.93, 0.05, h);
  // The accent is the hue five weeks away, on the warmer side.
  const accent = oklchToHex(0.68, 0.19, wrap(h + (h > 60 && h < 240 ? -34 : 34), 360));
  switch (wrap(week * 3 + (week >> 2) + 3 + seed, 4)) {
    case 0:
      return { bg: vivid, a: deep, b: tint, c: accent };
    case 1:
      return { bg: deep, a: vivid, b: tint, c: mid };
    case 2:
      return { bg: tint, a: deep, b: vivid, c: accent };
    default:
      return { bg: mid, a: tint, b: deep, c: vivid };
  }
}

/** Users write titles: nothing in one may end the attribute or the document. */
const toAttribute = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[<>&"]/g, '')
    // eslint-disable-next-line no-control-regex -- XML forbids control characters, escaped or not
    .replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, ' ');

/**
 * The demo numbers its ids within each week, and the first one looks like the week itself. All other
 * ids are random.
 */
export function findSleeveSeed(trackId: string): number {
  const [, number] = /^demo-.*-(\d+)$/.exec(trackId) ?? [];
  return number ? (Number(number) - 1) >>> 0 : hashSeed(trackId);
}

const FOLDER = '/media/sleeves/';

/** What is on a sleeve, so that a file with this name never changes: `46`, `46-2864434397`. */
export function sleeveName(week: number, trackId?: string): string {
  const seed = trackId === undefined ? 0 : findSleeveSeed(trackId);
  return seed === 0 ? String(week) : `${week}-${seed}`;
}

export const MAX_ON_SHEET = 20;

/** Where the server draws a sleeve, or several next to each other: a list of them is one file. */
export const sleevePath = (...names: readonly string[]): string =>
  `${FOLDER}${names.join('_')}.svg`;

/** A square sleeve as a standalone SVG document. A track without a cover looks the same everywhere. */
export function coverArt({
  week,
  trackId,
  seed = trackId === undefined ? 0 : findSleeveSeed(trackId),
  variant,
  size = SLEEVE_SIZE,
  title,
}: CoverArtOptions): string {
  const index = wrap(variant ?? week * 7 + Math.floor(week / 10) + 5 + seed, variants.length);
  const random = createRandom(week * 2654435761 + seed * 40503 + index * 97);
  random();
  const ground = chooseGround(week, seed);
  const draw = drawings[variants[index] ?? 'pressing'];
  const label = toAttribute(`${title ? `${title}, ` : ''}week ${week}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SLEEVE_SIZE} ${SLEEVE_SIZE}" width="${size}" height="${size}" role="img" aria-label="${label}">` +
    `<rect width="${SLEEVE_SIZE}" height="${SLEEVE_SIZE}" fill="${ground.bg}"/>${draw(ground, random, week)}</svg>`
  );
}

function drawSheet(sleeves: readonly CoverArtOptions[]): string {
  const cells = sleeves.map((sleeve, i) =>
    coverArt(sleeve).replace('<svg ', `<svg x="${i * SLEEVE_SIZE}" y="0" `),
  );
  const width = sleeves.length * SLEEVE_SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${SLEEVE_SIZE}" width="${width}" height="${SLEEVE_SIZE}">${cells.join('')}</svg>`;
}

const MAX_SEED = 0xffffffff;

function parseName(name: string): CoverArtOptions | undefined {
  const [, week, seed = '0'] = /^([1-9]|[1-4]\d|5[0-3])(?:-([1-9]\d{0,9}))?$/.exec(name) ?? [];
  if (week === undefined || Number(seed) > MAX_SEED) return undefined;
  return { week: Number(week), seed: Number(seed) };
}

/** The drawing at an address of `sleevePath`; undefined for every other address. */
export function drawSleeveFile(path: string): string | undefined {
  if (!path.startsWith(FOLDER) || !path.endsWith('.svg')) return undefined;
  const names = path.slice(FOLDER.length, -'.svg'.length).split('_', MAX_ON_SHEET + 1);
  const sleeves = names.map(parseName).filter((sleeve) => sleeve !== undefined);
  const [first] = sleeves;
  if (!first || sleeves.length < names.length || names.length > MAX_ON_SHEET) return undefined;
  return sleeves.length === 1 ? coverArt(first) : drawSheet(sleeves);
}
