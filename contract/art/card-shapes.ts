import type { WeekOfYear } from '../rules/weeks.ts';

/** Sizes of the pictures that we draw: `wide` for link previews, the others for people who post them. */
export const CARD_SHAPES = {
  wide: { width: 1200, height: 630 },
  square: { width: 1080, height: 1080 },
  story: { width: 1080, height: 1920 },
} as const;
export type CardShape = keyof typeof CARD_SHAPES;

const fileName = (name: string, shape: CardShape) =>
  `${name}${shape === 'wide' ? '' : `.${shape}`}.png`;

export const trackCardPath = (trackId: string, shape: CardShape = 'wide'): string =>
  `/media/cards/${fileName(encodeURIComponent(trackId), shape)}`;

export const weekCardPath = ({ year, week }: WeekOfYear, shape: CardShape = 'wide'): string =>
  `/media/cards/weeks/${fileName(`${year}-${week}`, shape)}`;

/** Of the picture of a year. */
export const YEAR_SHAPES = {
  poster: { width: 1080, height: 1350 },
  square: CARD_SHAPES.square,
  story: CARD_SHAPES.story,
} as const;
export type YearShape = keyof typeof YEAR_SHAPES;

/** The public picture of a member's year. */
export const sharedYearPath = (token: string, shape: YearShape = 'poster'): string =>
  `/media/cards/years/${encodeURIComponent(token)}${shape === 'poster' ? '' : `.${shape}`}.png`;
