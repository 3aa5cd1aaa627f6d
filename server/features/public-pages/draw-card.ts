import { CARD_SHAPES } from '#contract/art/card-shapes.ts';
import { coverArt } from '#contract/art/cover-art.ts';
import type { SleeveStyle } from '#contract/art/sleeve-style.ts';
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
import type { CardLook } from './card-pictures.ts';
import { canDraw, drawText } from './letters.ts';

const { width: WIDTH, height: HEIGHT } = CARD_SHAPES.wide;
const MARGIN = 48;
const GROUND = '#100c09';
const LOGO = { y: MARGIN + 33, scale: 1.5 };

const drawSleeve = (style: SleeveStyle, week: number, trackId: string): string =>
  coverArt({ style, week, trackId, size: HEIGHT }).replace('<svg ', '<svg x="0" y="0" ');

/** The facts of a track that its card shows. */
export type CardTrack = { id: string; title: string; year: number; week: number };

/**
 * The cover, or the drawn sleeve, beside the stage of the track's page: its number, title and place in
 * the year.
 */
export function drawTrackCard(track: CardTrack, look: CardLook, hasCover: boolean): string {
  const left = HEIGHT + MARGIN;
  const width = WIDTH - left - MARGIN;
  const { id: trackId, week } = track;
  const sleeve = hasCover ? '' : drawSleeve(look.sleeves, week, trackId);
  const wash = oklchToHex(0.205, 0.028, weekHue(week, look.sleeves.hemisphere));
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
      fill: weekColor(week, look.sleeves.hemisphere).hex,
    }) +
    (hasTitle ? drawTitle(title, { x: left, top: MARGIN + numeral + 46, width }) : '') +
    drawLogo(look, { ...LOGO, x: WIDTH - MARGIN, isRight: true }) +
    drawText(`Week ${week}, ${track.year}`, { x: left, y: 524, capHeight: 20, fill: BONE_2 }) +
    `${drawBars(listYearBars(week, 78), year, look.sleeves.hemisphere)}</svg>`
  );
}

/** The facts of an artist that their card shows. */
export type CardArtist = {
  id: string;
  name: string;
  /** Whose sleeve the card has without a picture. */
  newest: { id: string; week: number };
  /** Those of their newest mixes. */
  weeks: number[];
};

/** The picture, or the sleeve of the newest mix, beside the name and the weeks of their mixes. */
export function drawArtistCard(artist: CardArtist, look: CardLook, hasCover: boolean): string {
  const left = HEIGHT + MARGIN;
  const width = WIDTH - left - MARGIN;
  const { id: trackId, week } = artist.newest;
  const sleeve = hasCover ? '' : drawSleeve(look.sleeves, week, trackId);
  const wash = oklchToHex(0.205, 0.028, weekHue(week, look.sleeves.hemisphere));
  const name = cleanTitle(artist.name);
  const weeks = new Set(artist.weeks);
  const bars = listYearBars(week, 130).map((bar, index) =>
    weeks.has(bar.week) ? { week: bar.week, height: 130 * wave(index) } : bar,
  );
  return (
    `${openSvg(CARD_SHAPES.wide)}<rect width="${WIDTH}" height="${HEIGHT}" fill="${wash}"/>${sleeve}` +
    drawLogo(look, { ...LOGO, x: WIDTH - MARGIN, isRight: true }) +
    // A name in another script stays off the card; the preview shows it as text anyway.
    (canDraw(name)
      ? drawText('Mixes by', { x: left, y: 200, capHeight: 20, fill: BONE_2 }) +
        drawTitle(name, { x: left, top: 236, width, scale: 1.2 })
      : '') +
    `${drawBars(bars, { x: HEIGHT, width: WIDTH - HEIGHT, gap: 3, bottom: HEIGHT }, look.sleeves.hemisphere)}</svg>`
  );
}

/** In another script it stays off the card; the preview shows it as text anyway. */
const drawHeadline = (headline: string): string =>
  canDraw(headline) ? drawTitle(headline, { x: MARGIN, top: 150, width: 860, scale: 1.8 }) : '';

/** The poster of the landing page. */
export function drawSiteCard(look: CardLook): string {
  const bars = Array.from({ length: 52 }, (_, index) => {
    const rise = Math.max(0, index - 20) / 31;
    return { week: index + 1, height: HEIGHT * (0.08 + 0.68 * rise ** 1.6) * wave(index) };
  });
  const poster = { x: MARGIN - 4, capHeight: 150, fill: BONE };
  return (
    `${openSvg(CARD_SHAPES.wide)}<rect width="${WIDTH}" height="${HEIGHT}" fill="${GROUND}"/>` +
    drawBars(bars, { x: 0, width: WIDTH, gap: 3, bottom: HEIGHT }, look.sleeves.hemisphere) +
    drawLogo(look, { ...LOGO, x: MARGIN }) +
    (look.headline === ''
      ? drawText('One mix', { ...poster, y: 292 }) + drawText('a week.', { ...poster, y: 496 })
      : drawHeadline(look.headline)) +
    '</svg>'
  );
}
