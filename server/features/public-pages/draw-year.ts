import { YEAR_SHAPES, type YearShape } from '#contract/art/card-shapes.ts';
import { coverArt } from '#contract/art/cover-art.ts';
import { weekColor, type Hemisphere } from '#contract/rules/week-colour.ts';
import type { YearFact } from '#contract/rules/year.ts';
import type { WeekBar } from '#contract/rules/year-bars.ts';
import { BONE, BONE_2, breakLines, drawLogo, openSvg } from './card-parts.ts';
import type { CardLook } from './card-pictures.ts';
import { canDraw, drawText, measure } from './letters.ts';

/** The facts of a year that its picture shows. */
export type CardYear = {
  year: number;
  /** Whose it is: `Thandi’s year`. */
  title: string;
  /** The mixes that are heard; a week shows at most four. */
  sleeves: { id: string; week: number; coverKey: string | null }[];
  bars: WeekBar[];
  facts: YearFact[];
  note: string;
};

const GROUND = '#100c09';
const LINE_STRONG = '#57504a';
const LINE = '#2c2722';

type YearLayout = {
  margin: number;
  /** The top and the height of the year’s figures. */
  numeral: { top: number; height: number };
  grid: { top: number; columns: number; gap: number };
  bars: { x: number; width: number; height: number; bottom: number };
  /** The top of the facts, the height of their values and of their words. */
  facts: { top: number; value: number; text: number };
  noteY: number;
};

const LAYOUTS: Record<YearShape, YearLayout> = {
  poster: {
    margin: 64,
    numeral: { top: 72, height: 104 },
    grid: { top: 220, columns: 8, gap: 7 },
    bars: { x: 64, width: 952, height: 84, bottom: 1152 },
    facts: { top: 1180, value: 36, text: 14 },
    noteY: 1314,
  },
  square: {
    margin: 54,
    numeral: { top: 54, height: 76 },
    grid: { top: 162, columns: 9, gap: 6 },
    bars: { x: 54, width: 972, height: 64, bottom: 894 },
    facts: { top: 918, value: 30, text: 13 },
    noteY: 1040,
  },
  // Apps cover the top and the bottom of a story.
  story: {
    margin: 64,
    numeral: { top: 250, height: 110 },
    grid: { top: 402, columns: 7, gap: 7 },
    bars: { x: 0, width: 1080, height: 150, bottom: 1920 },
    facts: { top: 1522, value: 40, text: 16 },
    noteY: 1674,
  },
};

export type Tile = { left: number; top: number; width: number; height: number };
type YearSleeve = CardYear['sleeves'][number];

/** Parts of a square, for the mixes of one week. */
const TILINGS: readonly (readonly [number, number, number, number])[][] = [
  [[0, 0, 1, 1]],
  [
    [0, 0, 0.5, 1],
    [0.5, 0, 0.5, 1],
  ],
  [
    [0, 0, 0.5, 1],
    [0.5, 0, 0.5, 0.5],
    [0.5, 0.5, 0.5, 0.5],
  ],
  [
    [0, 0, 0.5, 0.5],
    [0.5, 0, 0.5, 0.5],
    [0, 0.5, 0.5, 0.5],
    [0.5, 0.5, 0.5, 0.5],
  ],
];

/** Whole pixels, without gaps between neighbours. */
function splitTile({ left, top, width, height }: Tile, count: number): Tile[] {
  const tiling = TILINGS[Math.min(count, TILINGS.length) - 1] ?? [];
  return tiling.map(([x, y, w, h]) => {
    const [from, above] = [Math.round(left + x * width), Math.round(top + y * height)];
    const [to, below] = [left + (x + w) * width, top + (y + h) * height];
    return {
      left: from,
      top: above,
      width: Math.round(to) - from,
      height: Math.round(below) - above,
    };
  });
}

/** The square of a week, counted from 1. */
function placeWeek(shape: YearShape, week: number): Tile {
  const { margin, grid } = LAYOUTS[shape];
  const side =
    (YEAR_SHAPES[shape].width - 2 * margin - (grid.columns - 1) * grid.gap) / grid.columns;
  const [column, row] = [(week - 1) % grid.columns, Math.floor((week - 1) / grid.columns)];
  const pitch = side + grid.gap;
  return { left: margin + column * pitch, top: grid.top + row * pitch, width: side, height: side };
}

/** Where the sleeves of a year are on its picture: those of one week share its square. */
export function placeSleeves(
  shape: YearShape,
  { sleeves }: Pick<CardYear, 'sleeves'>,
): { sleeve: YearSleeve; tile: Tile }[] {
  return [...Map.groupBy(sleeves, ({ week }) => week)].flatMap(([week, ofWeek]) =>
    splitTile(placeWeek(shape, week), ofWeek.length).flatMap((tile, index) => {
      const sleeve = ofWeek[index];
      return sleeve ? [{ sleeve, tile }] : [];
    }),
  );
}

const round = (value: number) => value.toFixed(1);

function drawSleeve({ sleeves }: CardLook, { id: trackId, week }: YearSleeve, tile: Tile): string {
  const { left, top, width, height } = tile;
  return coverArt({ style: sleeves, week, trackId }).replace(
    / width="[\d.]+" height="[\d.]+"/,
    ` x="${left}" y="${top}" width="${width}" height="${height}" preserveAspectRatio="xMidYMid slice"`,
  );
}

const drawDash = ({ left, top, width, height }: Tile, fill: string): string =>
  `<rect x="${round(left + width * 0.4)}" y="${round(top + height / 2 - 1.5)}" width="${round(width * 0.2)}" height="3" rx="1.5" fill="${fill}"/>`;

/** A week that waits has its number, one without a mix a dash. */
function drawWeek(tile: Tile, { week, state }: WeekBar, hemisphere: Hemisphere): string {
  if (state === 'none' || state === 'coming')
    return drawDash(tile, state === 'none' ? LINE_STRONG : LINE);
  const { left, top, width, height } = tile;
  const { hex } = weekColor(week, hemisphere);
  const capHeight = height * 0.27;
  const text = String(week);
  const x = left + (width - measure(text, { capHeight, isNumeral: true })) / 2;
  const y = top + (height + capHeight) / 2;
  return (
    `<rect x="${round(left + 0.75)}" y="${round(top + 0.75)}" width="${round(width - 1.5)}" height="${round(height - 1.5)}" fill="none" stroke="${hex}" stroke-width="1.5" opacity="0.6"/>` +
    drawText(text, { x, y, capHeight, isNumeral: true, fill: hex })
  );
}

/** Solid is heard, an outline is not yet, a dash is nothing. */
function drawBar(
  { week, state, height = 0, share = 0 }: WeekBar,
  { left, top, width, height: tallest }: Tile,
  hemisphere: Hemisphere,
): string {
  const bottom = top + tallest;
  if (state === 'none' || state === 'coming')
    return `<rect x="${round(left + width * 0.15)}" y="${round(bottom - 3)}" width="${round(width * 0.7)}" height="3" fill="${state === 'none' ? LINE_STRONG : LINE}"/>`;
  const { hex } = weekColor(week, hemisphere);
  const whole = tallest * height;
  const filled = state === 'finished' ? whole : state === 'started' ? whole * share : 0;
  const outline = `<rect x="${round(left + 0.75)}" y="${round(bottom - whole + 0.75)}" width="${round(width - 1.5)}" height="${round(whole - 1.5)}" fill="none" stroke="${hex}" stroke-width="1.5" opacity="0.6"/>`;
  const fill = `<rect x="${round(left)}" y="${round(bottom - filled)}" width="${round(width)}" height="${round(filled)}" fill="${hex}"/>`;
  return (filled < whole ? outline : '') + (filled > 0 ? fill : '');
}

function drawYearBars({ bars }: CardYear, shape: YearShape, hemisphere: Hemisphere): string {
  const { x, width, height, bottom } = LAYOUTS[shape].bars;
  const gap = 4;
  const pitch = (width + gap) / bars.length;
  return bars
    .map((bar, index) => {
      const place = { left: x + index * pitch, top: bottom - height, width: pitch - gap, height };
      return drawBar(bar, place, hemisphere);
    })
    .join('');
}

/** A title in another script stays off the picture. */
const keepDrawable = (text: string): string =>
  canDraw(text) ? text : (text.split(', ').findLast(canDraw) ?? '');

function drawFacts({ facts }: CardYear, shape: YearShape, hemisphere: Hemisphere): string {
  const { margin, facts: layout } = LAYOUTS[shape];
  const { top, value: valueHeight, text: capHeight } = layout;
  const column = (YEAR_SHAPES[shape].width - 2 * margin) / facts.length;
  return facts
    .map(({ value, text, week }, index) => {
      const x = margin + index * column;
      const fill = week === undefined ? BONE : weekColor(week, hemisphere).hex;
      const { lines } = breakLines(keepDrawable(text), {
        width: column - 24,
        capHeight,
        maxLines: 2,
      });
      const y = top + valueHeight;
      return (
        drawText(value, { x, y, capHeight: valueHeight, fill }) +
        lines
          .map((line, at) =>
            drawText(line, { x, y: y + (at + 1) * capHeight * 1.8 + 6, capHeight, fill: BONE_2 }),
          )
          .join('')
      );
    })
    .join('');
}

/** Drawn at its right edge. */
function drawRight(text: string, { x, y, capHeight }: { x: number; y: number; capHeight: number }) {
  const width = measure(text, { capHeight });
  return drawText(text, { x: x - width, y, capHeight, fill: BONE });
}

/** The year as a wall: a sleeve for each week heard, and the number of those that wait. */
export function drawYear(
  shape: YearShape,
  card: CardYear,
  look: CardLook,
  /** The ids of mixes whose uploaded cover is put over the drawing. */
  covered: ReadonlySet<string>,
): string {
  const { year, bars, note } = card;
  const layout = LAYOUTS[shape];
  const { hemisphere } = look.sleeves;
  const { width } = YEAR_SHAPES[shape];
  const { margin, numeral } = layout;
  const baseline = numeral.top + numeral.height;
  const title = canDraw(card.title) ? card.title : 'My year';
  const sleeves = placeSleeves(shape, card);
  const heard = new Set(sleeves.map(({ sleeve }) => sleeve.week));
  return (
    `${openSvg(YEAR_SHAPES[shape])}<rect width="100%" height="100%" fill="${GROUND}"/>` +
    drawText(String(year), {
      x: margin - 3,
      y: baseline,
      capHeight: numeral.height,
      isNumeral: true,
      fill: BONE,
    }) +
    drawRight(title, { x: width - margin, y: baseline - 46, capHeight: 22 }) +
    drawLogo(look, { x: width - margin, y: baseline, scale: 1.15, isRight: true }) +
    bars
      .filter(({ week }) => !heard.has(week))
      .map((bar) => drawWeek(placeWeek(shape, bar.week), bar, hemisphere))
      .join('') +
    sleeves
      .map(({ sleeve, tile }) => (covered.has(sleeve.id) ? '' : drawSleeve(look, sleeve, tile)))
      .join('') +
    drawYearBars(card, shape, hemisphere) +
    drawFacts(card, shape, hemisphere) +
    (canDraw(note)
      ? drawText(note, { x: margin, y: layout.noteY, capHeight: layout.facts.text, fill: BONE_2 })
      : '') +
    '</svg>'
  );
}
