import { CARD_SHAPES, type CardShape } from '#contract/art/card-shapes.ts';
import { coverArt } from '#contract/art/cover-art.ts';
import { oklchToHex, weekHue } from '#contract/rules/week-colour.ts';
import {
  BONE,
  BONE_2,
  breakLines,
  cleanTitle,
  drawBars,
  drawLogo,
  drawTitle,
  drawWeekNumber,
  listYearBars,
  openSvg,
} from './card-parts.ts';
import type { CardLook } from './card-pictures.ts';
import type { CardTrack } from './draw-card.ts';
import { canDraw, drawText } from './letters.ts';

/** Pictures that people save and post themselves: a mix, or a week with its mixes. */
export type PosterShape = Exclude<CardShape, 'wide'>;

type Box = { x: number; y: number; width: number; height: number };
type PosterLayout = {
  margin: number;
  cover: { left: number; top: number; side: number };
  numeral: Box;
  titleTop: number;
  titleScale: number;
  /** The baseline of the week and the logo: above what apps put over a story. */
  factsY: number;
  /** The height of the tallest bar. */
  bars: number;
};

export const POSTER_LAYOUTS: Record<PosterShape, PosterLayout> = {
  square: {
    margin: 60,
    cover: { left: 0, top: 0, side: 640 },
    numeral: { x: 684, y: 60, width: 336, height: 520 },
    titleTop: 700,
    titleScale: 1.35,
    factsY: 956,
    bars: 84,
  },
  story: {
    margin: 72,
    cover: { left: 0, top: 0, side: 1080 },
    numeral: { x: 68, y: 1136, width: 936, height: 210 },
    titleTop: 1400,
    titleScale: 1.25,
    factsY: 1670,
    bars: 150,
  },
};

type Frame = { look: CardLook; year: number; week: number };

/** The ground, the week as a text, the logo and the year. */
function drawFrame(
  shape: CardShape,
  { look, year, week }: Frame,
  { margin, factsY, bars }: Pick<PosterLayout, 'margin' | 'factsY' | 'bars'>,
  content: string,
): string {
  const size = CARD_SHAPES[shape];
  const wash = oklchToHex(0.205, 0.028, weekHue(week, look.sleeves.hemisphere));
  return (
    `${openSvg(size)}<rect width="100%" height="100%" fill="${wash}"/>${content}` +
    drawText(`Week ${week}, ${year}`, { x: margin, y: factsY, capHeight: 28, fill: BONE_2 }) +
    drawLogo(look, { x: size.width - margin, y: factsY, scale: 1.8, isRight: true }) +
    drawBars(
      listYearBars(week, bars),
      { x: 0, width: size.width, gap: 4, bottom: size.height },
      look.sleeves.hemisphere,
    ) +
    '</svg>'
  );
}

export function drawTrackPoster(
  shape: PosterShape,
  track: CardTrack,
  look: CardLook,
  hasCover: boolean,
): string {
  const layout = POSTER_LAYOUTS[shape];
  const { margin, cover, numeral, titleTop, titleScale } = layout;
  const { id: trackId, year, week } = track;
  const place = `<svg x="${cover.left}" y="${cover.top}" `;
  const sleeve = hasCover
    ? ''
    : coverArt({ style: look.sleeves, week, trackId, size: cover.side }).replace('<svg ', place);
  const title = cleanTitle(track.title);
  const text = {
    x: margin,
    top: titleTop,
    width: CARD_SHAPES[shape].width - 2 * margin,
    scale: titleScale,
  };
  const content =
    sleeve +
    drawWeekNumber(week, look.sleeves.hemisphere, numeral) +
    (canDraw(title) ? drawTitle(title, text) : '');
  return drawFrame(shape, { look, year, week }, layout, content);
}

type WeekLayout = Pick<PosterLayout, 'margin' | 'factsY' | 'bars' | 'numeral'> & {
  titles: { x: number; top: number; width: number; capHeight: number };
};

const WEEK_LAYOUTS: Record<CardShape, WeekLayout> = {
  wide: {
    margin: 48,
    numeral: { x: 44, y: 48, width: 350, height: 370 },
    titles: { x: 440, top: 56, width: 712, capHeight: 44 },
    factsY: 512,
    bars: 78,
  },
  square: {
    margin: 60,
    numeral: { x: 54, y: 60, width: 960, height: 500 },
    titles: { x: 60, top: 630, width: 960, capHeight: 46 },
    factsY: 956,
    bars: 84,
  },
  story: {
    margin: 72,
    numeral: { x: 64, y: 270, width: 936, height: 800 },
    titles: { x: 72, top: 1170, width: 936, capHeight: 54 },
    factsY: 1670,
    bars: 150,
  },
};

const MAX_TITLES = 3;

/** The facts of a week that its picture shows. */
export type CardWeek = { year: number; week: number; titles: string[] };

export function drawWeekPoster(
  shape: CardShape,
  { year, week, titles }: CardWeek,
  look: CardLook,
): string {
  const frame = { look, year, week };
  const numeral = drawWeekNumber(week, look.sleeves.hemisphere, WEEK_LAYOUTS[shape].numeral);
  const layout = WEEK_LAYOUTS[shape];
  const { x, top, width, capHeight } = layout.titles;
  const clean = titles.map(cleanTitle).filter(canDraw);
  const [only, second] = clean;
  if (only !== undefined && second === undefined) {
    const title = drawTitle(only, { x, top, width, scale: capHeight / 32 });
    return drawFrame(shape, frame, layout, numeral + title);
  }
  const more = clean.length - MAX_TITLES;
  const lines = clean
    .slice(0, MAX_TITLES)
    .flatMap((title) => breakLines(title, { width, capHeight, maxLines: 1 }).lines);
  const texts = more > 0 ? [...lines, `and ${more} more`] : lines;
  const list = texts.map((line, index) => {
    const isNote = index >= lines.length;
    const y = top + capHeight + index * capHeight * 1.75;
    return drawText(line, { x, y, capHeight, fill: isNote ? BONE_2 : BONE });
  });
  return drawFrame(shape, frame, layout, numeral + list.join(''));
}
