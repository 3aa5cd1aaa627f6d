import { CARD_SHAPES } from '#contract/art/card-shapes.ts';
import { coverArt } from '#contract/art/cover-art.ts';
import { oklchToHex, weekColor, weekHue } from '#contract/rules/week-colour.ts';
import {
  BONE,
  BONE_2,
  cleanTitle,
  drawBars,
  drawLogo,
  drawTitle,
  listYearBars,
  openSvg,
  wave,
} from './card-parts.ts';
import { canDraw, drawText } from './letters.ts';

const { width: WIDTH, height: HEIGHT } = CARD_SHAPES.wide;
const MARGIN = 48;
const GROUND = '#100c09';
const LOGO = { y: MARGIN + 33, scale: 1.5 };

/** The facts of a track that its card shows. */
export type CardTrack = { id: string; title: string; year: number; week: number };

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
  const wash = oklchToHex(0.205, 0.028, weekHue(week));
  const title = cleanTitle(track.title);
  // A title in another script stays off the card; the preview shows it as text anyway.
  const hasTitle = canDraw(title);
  const numeral = hasTitle ? 210 : 320;
  const year = { x: HEIGHT, width: WIDTH - HEIGHT, gap: 3, bottom: HEIGHT };
  return (
    `${openSvg(CARD_SHAPES.wide)}<rect width="${WIDTH}" height="${HEIGHT}" fill="${wash}"/>${sleeve}` +
    drawText(String(week), {
      x: left - 4,
      y: MARGIN + numeral,
      capHeight: numeral,
      isNumeral: true,
      fill: weekColor(week).hex,
    }) +
    (hasTitle ? drawTitle(title, { x: left, top: MARGIN + numeral + 46, width }) : '') +
    drawLogo(siteName, { ...LOGO, x: WIDTH - MARGIN, isRight: true }) +
    drawText(`Week ${week}, ${track.year}`, { x: left, y: 524, capHeight: 20, fill: BONE_2 }) +
    `${drawBars(listYearBars(week, 78), year)}</svg>`
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
    `${openSvg(CARD_SHAPES.wide)}<rect width="${WIDTH}" height="${HEIGHT}" fill="${GROUND}"/>` +
    drawBars(bars, { x: 0, width: WIDTH, gap: 3, bottom: HEIGHT }) +
    drawLogo(siteName, { ...LOGO, x: MARGIN }) +
    drawText('One mix', { ...poster, y: 292 }) +
    drawText('a week.', { ...poster, y: 496 }) +
    '</svg>'
  );
}
