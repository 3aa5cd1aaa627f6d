import { findLogoSize, isWordmark } from '#contract/art/logo-size.ts';
import { weekColor, type Hemisphere } from '#contract/rules/week-colour.ts';
import type { CardLook } from './card-pictures.ts';
import { canDraw, drawText, measure } from './letters.ts';

/** What the pictures of links, mixes and weeks have in common. */
export const BONE = '#f2eade';
export const BONE_2 = '#c9c1b5';
const WEEKS = 53;

export const openSvg = ({ width, height }: { width: number; height: number }): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`;

/** Seven days: five quiet bars and a tall weekend. */
const LOGO_BARS = [9, 13, 8, 12, 10, 22, 18];
const LOGO_CAP = 15.3;
const MAX_NAME_WIDTH = 160;
const MARK = { width: 24 + 2.6, height: 22 };
const NAME_GAP = 6.4;

const measureName = (siteName: string) => measure(siteName, { capHeight: LOGO_CAP });
const hasRoom = (siteName: string) => canDraw(siteName) && measureName(siteName) <= MAX_NAME_WIDTH;

type LogoPlace = { x: number; y: number; scale: number; isRight?: boolean };

/** The product's mark, with its lower edge at `y`. */
const drawMark = ({ x, y, scale }: LogoPlace): string =>
  LOGO_BARS.map((height, day) => {
    const [at, top] = [(x + day * 4 * scale).toFixed(1), (y - height * scale).toFixed(1)];
    return `<rect x="${at}" y="${top}" width="${2.6 * scale}" height="${height * scale}" rx="1" fill="${BONE}" opacity="${day < 5 ? 0.62 : 1}"/>`;
  }).join('');

/** The site's logo or the product's mark, and the name: with its baseline at `y`, and its left or right edge at `x`. */
export function drawLogo(
  { siteName, logo }: CardLook,
  { x, y, scale, isRight = false }: LogoPlace,
): string {
  const own = logo?.href === undefined ? null : { ...logo, ...findLogoSize(logo) };
  const { width, height } = own ?? MARK;
  const hasName = hasRoom(siteName) && !(own && isWordmark(own));
  const whole = width + (hasName ? NAME_GAP + measureName(siteName) : 0);
  const left = isRight ? x - whole * scale : x;
  const top = y - ((MARK.height + height) / 2) * scale;
  const mark = own
    ? `<image x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${width * scale}" height="${height * scale}" href="${own.href}"/>`
    : drawMark({ x: left, y, scale });
  const name = {
    x: left + (width + NAME_GAP) * scale,
    y,
    capHeight: LOGO_CAP * scale,
    fill: BONE,
  };
  return mark + (hasName ? drawText(siteName, name) : '');
}

export type Bar = { week: number; height: number; isQuiet?: boolean };

export function drawBars(
  bars: readonly Bar[],
  { x, width, gap, bottom }: { x: number; width: number; gap: number; bottom: number },
  hemisphere: Hemisphere,
): string {
  const pitch = (width + gap) / bars.length;
  return bars
    .map(({ week, height, isQuiet }, index) => {
      const left = (x + index * pitch).toFixed(1);
      const top = (bottom - height).toFixed(1);
      return `<rect x="${left}" y="${top}" width="${(pitch - gap).toFixed(1)}" height="${height.toFixed(1)}" fill="${weekColor(week, hemisphere).hex}" opacity="${isQuiet ? 0.5 : 1}"/>`;
    })
    .join('');
}

export const wave = (index: number): number =>
  1 + 0.13 * Math.sin(index * 2.1) + 0.09 * Math.sin(index * 0.9 + 2);

/** The weeks of a year, with this one tall. */
export const listYearBars = (week: number, height: number): Bar[] =>
  Array.from({ length: WEEKS }, (_, index) => {
    const isThis = index + 1 === week;
    return {
      week: index + 1,
      height: height * (isThis ? 1 : 0.41 * wave(index)),
      isQuiet: !isThis,
    };
  });

/** Breaks a text at spaces into lines of this width. The last one is cut if it is too long. */
export function breakLines(
  text: string,
  { width, capHeight, maxLines }: { width: number; capHeight: number; maxLines: number },
): { lines: string[]; isWhole: boolean } {
  const fits = (line: string) => measure(line, { capHeight }) <= width;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || (!fits(longer) && lines.length < maxLines)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  const cut = lines.map((line) => {
    if (fits(line)) return line;
    let short = line;
    while (short && !fits(`${short}…`)) short = [...short].slice(0, -1).join('').trimEnd();
    return `${short}…`;
  });
  return { lines: cut, isWhole: cut.every((line, index) => line === lines[index]) };
}

const TITLE_SIZES = [
  { capHeight: 62, maxLines: 1 },
  { capHeight: 54, maxLines: 2 },
  { capHeight: 46, maxLines: 2 },
  { capHeight: 40, maxLines: 3 },
  { capHeight: 34, maxLines: 3 },
];

export const cleanTitle = (title: string): string => title.replace(/\s+/g, ' ').trim();

/** In the largest letters that fit. */
export function drawTitle(
  title: string,
  { x, top, width, scale = 1 }: { x: number; top: number; width: number; scale?: number },
): string {
  const sizes = TITLE_SIZES.map((size) => ({ ...size, capHeight: size.capHeight * scale }));
  const size = sizes.find((one) => breakLines(title, { ...one, width }).isWhole) ?? sizes.at(-1);
  if (!size) return '';
  const { capHeight } = size;
  return breakLines(title, { ...size, width })
    .lines.map((line, index) => {
      const y = top + capHeight + index * capHeight * 1.5;
      return drawText(line, { x, y, capHeight, fill: BONE });
    })
    .join('');
}

/** The number of a week with its top at `y`, as large as it fits. */
export function drawWeekNumber(
  week: number,
  hemisphere: Hemisphere,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): string {
  const text = String(week);
  const widest = measure(text, { capHeight: 1, isNumeral: true });
  const capHeight = Math.min(height, width / widest);
  const fill = weekColor(week, hemisphere).hex;
  return drawText(text, { x, y: y + capHeight, capHeight, isNumeral: true, fill });
}
