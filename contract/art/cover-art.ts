import {
  drawings,
  families,
  SLEEVE_SIZE,
  variants,
  type Ground,
  type Shape,
} from './cover-drawings.ts';
import type { SleeveStyle } from './sleeve-style.ts';
import { findSleeveSeed, MAX_ON_SHEET, parseSleeveName, SLEEVE_FOLDER } from './sleeve-names.ts';
import { createRandom } from '../rules/random.ts';
import { oklchToHex, weekColor, weekHue, wrap } from '../rules/week-colour.ts';

type CoverArtOptions = {
  style: SleeveStyle;
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
function chooseGround({ hemisphere }: SleeveStyle, week: number, seed: number): Ground {
  const h = weekHue(week, hemisphere);
  const { signal } = weekColor(week, hemisphere);
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

/** What is on a sleeve. A track without a cover looks the same everywhere. */
export function listShapes({
  style,
  week,
  trackId,
  seed = trackId === undefined ? 0 : findSleeveSeed(trackId),
  variant,
}: Omit<CoverArtOptions, 'size' | 'title'>): Shape[] {
  const family = families[style.family];
  const name = family[wrap(week * 7 + Math.floor(week / 10) + 5 + seed, family.length)];
  const index = variant ?? variants.indexOf(name ?? 'pressing');
  const random = createRandom(week * 2654435761 + seed * 40503 + index * 97);
  random();
  const ground = chooseGround(style, week, seed);
  const draw = drawings[variants[index] ?? 'pressing'];
  return [
    { tag: 'rect', width: SLEEVE_SIZE, height: SLEEVE_SIZE, fill: ground.bg },
    ...draw(ground, random, week),
  ];
}

function toMarkup({ tag, children, ...attributes }: Shape): string {
  const texts = Object.entries(attributes).map(([name, value]) =>
    typeof value === 'object' ? `transform="${name}(${value.join(' ')})"` : `${name}="${value}"`,
  );
  const start = `<${tag} ${texts.join(' ')}`;
  return children ? `${start}>${children.map(toMarkup).join('')}</${tag}>` : `${start}/>`;
}

/** A square sleeve as a standalone SVG document. */
export function coverArt({ size = SLEEVE_SIZE, title, ...sleeve }: CoverArtOptions): string {
  const label = toAttribute(`${title ? `${title}, ` : ''}week ${sleeve.week}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SLEEVE_SIZE} ${SLEEVE_SIZE}" width="${size}" height="${size}" role="img" aria-label="${label}">` +
    `${listShapes(sleeve).map(toMarkup).join('')}</svg>`
  );
}

function drawSheet(sleeves: readonly CoverArtOptions[]): string {
  const cells = sleeves.map((sleeve, i) =>
    coverArt(sleeve).replace('<svg ', `<svg x="${i * SLEEVE_SIZE}" y="0" `),
  );
  const width = sleeves.length * SLEEVE_SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${SLEEVE_SIZE}" width="${width}" height="${SLEEVE_SIZE}">${cells.join('')}</svg>`;
}

/** The drawing at an address of `sleevePath`; undefined for every other address. */
export function drawSleeveFile(path: string): string | undefined {
  if (!path.startsWith(SLEEVE_FOLDER) || !path.endsWith('.svg')) return undefined;
  const names = path.slice(SLEEVE_FOLDER.length, -'.svg'.length).split('_', MAX_ON_SHEET + 1);
  const sleeves = names.map(parseSleeveName).filter((sleeve) => sleeve !== undefined);
  const [first] = sleeves;
  if (!first || sleeves.length < names.length || names.length > MAX_ON_SHEET) return undefined;
  return sleeves.length === 1 ? coverArt(first) : drawSheet(sleeves);
}
