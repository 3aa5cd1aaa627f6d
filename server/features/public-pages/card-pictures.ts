import { createHash } from 'node:crypto';
import { trackCardPath, type CardShape } from '#contract/art/card-shapes.ts';
import type { SleeveStyle } from '#contract/art/sleeve-style.ts';
import type { LookImage, SiteLook } from '#contract/look.ts';
import type { CardArtist, CardTrack } from './draw-card.ts';
import type { CardWeek } from './draw-poster.ts';

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

export type Card = { look: CardLook } & (
  | { kind: 'site' }
  | { kind: 'track'; shape: CardShape; track: CardTrack; coverKey: string | null }
  | { kind: 'week'; shape: CardShape; week: CardWeek }
  | { kind: 'artist'; artist: CardArtist; coverKey: string | null }
);

/** Part of a card's address, so that every change of what it shows has another one. */
export const cardVersion = (card: Card): string =>
  createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 10);

/** Where the picture of a link is. */
export function toCardPath(card: Exclude<Card, { kind: 'week' }>): string {
  const path =
    card.kind === 'site'
      ? '/media/cards/site.png'
      : card.kind === 'artist'
        ? `/media/cards/artists/${encodeURIComponent(card.artist.id)}.png`
        : trackCardPath(card.track.id, card.shape);
  return `${path}?v=${cardVersion(card)}`;
}

/** Links are shared about the newest tracks; a picture has 20 to 400 KB. */
export const CARD_BYTES = 4 * 1024 * 1024;
