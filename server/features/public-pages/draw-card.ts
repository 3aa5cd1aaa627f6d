import { coverArt } from '#contract/rules/cover-art.ts';
import { oklchToHex, weekColor, weekHue } from '#contract/rules/week-colour.ts';
import { CARD_SIZE } from '../../http/pages/page-head.ts';
import { canDraw, drawText, measure } from './letters.ts';

const { width: WIDTH, height: HEIGHT } = CARD_SIZE;
const MARGIN = 48;
const WEEKS = 53;
const GROUND = '#100c09';
const BONE = '#f2eade';
const BONE_2 = '#c9c1b5';

/** The facts of a track that its card shows. */
export type CardTrack = { id: string; title: string; year: number; week: number };

const openSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`;

/** Seven days: five quiet bars and a tall weekend. */
const LOGO_BARS = [9, 13, 8, 12, 10, 22, 18];
const LOGO_SCALE = 1.5;
const LOGO_CAP = 23;
const MAX_NAME_WIDTH = 240;
const NAME_OFFSET = 33 * LOGO_SCALE;

function drawLogo(siteName: string, x: number, y: number): string {
  const scale = LOGO_SCALE;
  const bars = LOGO_BARS.map((height, day) => {
    const [left, top] = [x + day * 4 * scale, y - height * scale];
    return `<rect x="${left}" y="${top}" width="${2.6 * scale}" height="${height * scale}" rx="1" fill="${BONE}" opacity="${day < 5 ? 0.62 : 1}"/>`;
  });
  const name = hasRoom(siteName)
    ? drawText(siteName, { x: x + NAME_OFFSET, y, capHeight: LOGO_CAP, fill: BONE })
    : '';
  return bars.join('') + name;
}

const measureName = (siteName: string) => measure(siteName, { capHeight: LOGO_CAP });

const hasRoom = (siteName: string) => canDraw(siteName) && measureName(siteName) <= MAX_NAME_WIDTH;

const measureLogo = (siteName: string): number =>
  NAME_OFFSET + (hasRoom(siteName) ? measureName(siteName) : 0);

type Bar = { week: number; height: number; isQuiet?: boolean };

function drawBars(
  bars: readonly Bar[],
  { x, width, gap }: { x: number; width: number; gap: number },
) {
  const pitch = (width + gap) / bars.length;
  return bars
    .map(({ week, height, isQuiet }, index) => {
      const left = (x + index * pitch).toFixed(1);
      const top = (HEIGHT - height).toFixed(1);
      return `<rect x="${left}" y="${top}" width="${(pitch - gap).toFixed(1)}" height="${height.toFixed(1)}" fill="${weekColor(week).hex}" opacity="${isQuiet ? 0.5 : 1}"/>`;
    })
    .join('');
}

const wave = (index: number) => 1 + 0.13 * Math.sin(index * 2.1) + 0.09 * Math.sin(index * 0.9 + 2);

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

function drawTitle(
  title: string,
  { x, top, width }: { x: number; top: number; width: number },
): string {
  const [smallest] = TITLE_SIZES.slice(-1);
  const size = TITLE_SIZES.find((one) => breakLines(title, { ...one, width }).isWhole) ?? smallest;
  if (!size) return '';
  const { lines } = breakLines(title, { ...size, width });
  const { capHeight } = size;
  return lines
    .map((line, index) => {
      const y = top + capHeight + index * capHeight * 1.5;
      return drawText(line, { x, y, capHeight, fill: BONE });
    })
    .join('');
}

/**
 * The cover, or the drawn sleeve, beside the stage of the track's page: its number, title and place in
 * the year.
 */
export function drawTrackCard(track: CardTrack, siteName: string, hasCover: boolean): string {
  const left = HEIGHT + MARGIN;
  const width = WIDTH - left - MARGIN;
  const { id: trackId, week } = track;
  const sleeve = hasCover
    ? ''
    : coverArt({ week, trackId, size: HEIGHT }).replace('<svg ', '<svg x="0" y="0" ');
  const bars = Array.from({ length: WEEKS }, (_, index) => {
    const isThis = index + 1 === week;
    return { week: index + 1, height: isThis ? 78 : 32 * wave(index), isQuiet: !isThis };
  });
  const wash = oklchToHex(0.205, 0.028, weekHue(week));
  const title = track.title.replace(/\s+/g, ' ').trim();
  // A title in another script stays off the card; the preview shows it as text anyway.
  const hasTitle = canDraw(title);
  const numeral = hasTitle ? 210 : 320;
  return (
    `${openSvg}<rect width="${WIDTH}" height="${HEIGHT}" fill="${wash}"/>${sleeve}` +
    drawText(String(week), {
      x: left - 4,
      y: MARGIN + numeral,
      capHeight: numeral,
      isNumeral: true,
      fill: weekColor(week).hex,
    }) +
    (hasTitle ? drawTitle(title, { x: left, top: MARGIN + numeral + 46, width }) : '') +
    drawLogo(siteName, WIDTH - MARGIN - measureLogo(siteName), MARGIN + 33) +
    drawText(`Week ${week}, ${track.year}`, { x: left, y: 524, capHeight: 20, fill: BONE_2 }) +
    `${drawBars(bars, { x: HEIGHT, width: WIDTH - HEIGHT, gap: 3 })}</svg>`
  );
}

/** The poster of the landing page. */
export function drawSiteCard(siteName: string): string {
  const bars = Array.from({ length: 52 }, (_, index) => {
    const rise = Math.max(0, index - 20) / 31;
    return { week: index + 1, height: HEIGHT * (0.08 + 0.68 * rise ** 1.6) * wave(index) };
  });
  const poster = { x: MARGIN - 4, capHeight: 150, fill: BONE };
  return (
    `${openSvg}<rect width="${WIDTH}" height="${HEIGHT}" fill="${GROUND}"/>` +
    drawBars(bars, { x: 0, width: WIDTH, gap: 3 }) +
    drawLogo(siteName, MARGIN, MARGIN + 33) +
    drawText('One mix', { ...poster, y: 292 }) +
    drawText('a week.', { ...poster, y: 496 }) +
    '</svg>'
  );
}
