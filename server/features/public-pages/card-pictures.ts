import { createHash } from 'node:crypto';
import { trackCardPath, type CardShape } from '#contract/art/card-shapes.ts';
import { AppError } from '../../http/app-error.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { CardArtist, CardTrack } from './draw-card.ts';
import { drawInProcess } from './draw-in-process.ts';
import type { CardWeek } from './draw-poster.ts';

export type Card = { siteName: string } & (
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
const MAX_BYTES = 4 * 1024 * 1024;
/** Drawing a card occupies a core for a moment, so they are drawn one after the other. */
const MAX_WAITING = 8;

export type CardPictures = {
  /** Undefined if the card has to be drawn. */
  find: (card: Card) => Buffer | undefined;
  draw: (card: Card) => Promise<Buffer>;
};

/** Draws cards one at a time. The most recently used ones stay in memory. */
export function createCardPictures(
  storage: Storage,
  render: typeof drawInProcess = drawInProcess,
): CardPictures {
  const pictures = new Map<string, Buffer>();
  const drawing = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();
  let bytes = 0;

  function keep(version: string, picture: Buffer) {
    pictures.set(version, picture);
    bytes += picture.length;
    for (const [oldest, { length }] of pictures) {
      if (bytes <= MAX_BYTES) return;
      pictures.delete(oldest);
      bytes -= length;
    }
  }

  function find(card: Card): Buffer | undefined {
    const version = cardVersion(card);
    const picture = pictures.get(version);
    if (picture) {
      pictures.delete(version);
      pictures.set(version, picture);
    }
    return picture;
  }

  function draw(card: Card): Promise<Buffer> {
    const version = cardVersion(card);
    const known = drawing.get(version);
    if (known) return known;
    if (drawing.size >= MAX_WAITING)
      throw new AppError('unavailable', { headers: { 'retry-after': '5' } });
    const next = last.then(async () => {
      const picture = await render(card, storage);
      keep(version, picture);
      return picture;
    });
    last = next.catch(() => undefined);
    drawing.set(version, next);
    const forget = () => void drawing.delete(version);
    next.then(forget, forget);
    return next;
  }

  return { find, draw };
}
