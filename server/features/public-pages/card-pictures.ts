import { createHash } from 'node:crypto';
import { trackCardPath, type CardShape, type YearShape } from '#contract/art/card-shapes.ts';
import type { SleeveStyle } from '#contract/art/sleeve-style.ts';
import type { LookImage, SiteLook } from '#contract/look.ts';
import type { CardArtist, CardTrack } from './draw-card.ts';
import type { CardWeek } from './draw-poster.ts';
import type { CardYear } from './draw-year.ts';

/** What a card shows of the site’s look. */
export type CardLook = Pick<SiteLook, 'siteName' | 'headline'> & {
  sleeves: SleeveStyle;
  /** `href` is there where it is drawn: a picture in the ink of cards. */
  logo: (LookImage & { href?: string }) | null;
};

export const cardLookOf = ({ siteName, headline, sleeves, logo }: SiteLook): CardLook => ({
  siteName,
  headline,
  sleeves,
  logo: logo && { name: logo.name, width: logo.width, height: logo.height },
});

/** What is drawn for the videos of a clip, into a folder. */
export type ClipCard = {
  kind: 'clip';
  look: CardLook;
  track: CardTrack;
  coverKey: string | null;
  /** Heights from 0 to 1. */
  bars: number[];
  /** Names of what plays, one after the other. */
  labels: string[];
  folder: string;
};

export type Card = { look: CardLook } & (
  | { kind: 'site' }
  | { kind: 'track'; shape: CardShape; track: CardTrack; coverKey: string | null }
  | { kind: 'week'; shape: CardShape; week: CardWeek }
  | { kind: 'year'; shape: YearShape; year: CardYear }
  | { kind: 'artist'; artist: CardArtist; coverKey: string | null }
);

/** Part of a card's address, so that every change of what it shows has another one. */
export const cardVersion = (card: Card): string =>
  createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 10);

/** Where the picture of a link is. */
export function toCardPath(card: Exclude<Card, { kind: 'week' | 'year' }>): string {
  const path =
    card.kind === 'site'
      ? '/media/cards/site.png'
      : card.kind === 'artist'
        ? `/media/cards/artists/${encodeURIComponent(card.artist.id)}.png`
        : trackCardPath(card.track.id, card.shape);
  return `${path}?v=${cardVersion(card)}`;
}

/** Where the uploaded covers are that a card shows, in the order it shows them. */
export function listCoverKeys(card: Card | ClipCard): string[] {
  if (card.kind === 'year') return card.year.sleeves.flatMap(({ coverKey }) => coverKey ?? []);
  return 'coverKey' in card && card.coverKey !== null ? [card.coverKey] : [];
}

/** Links are shared about the newest tracks; a picture has 20 to 400 KB. */
export const CARD_BYTES = 4 * 1024 * 1024;
