import { once } from 'node:events';
import { CARD_SHAPES, type CardShape } from '#contract/art/card-shapes.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import type { Card } from './card-pictures.ts';
import { drawArtistCard, drawSiteCard, drawTrackCard } from './draw-card.ts';
import { drawTrackPoster, drawWeekPoster, POSTER_LAYOUTS } from './draw-poster.ts';

/** The process of draw-in-process.ts: draws one card and prints it as a PNG. */
const { card, cover } = JSON.parse(process.argv[2] ?? '') as { card: Card; cover: string | null };

// The input ends when the server is killed.
process.stdin.once('end', () => process.exit(1)).resume();
process.stdin.unref();

const sharp = await loadSharp();
const hasCover = cover !== null;

function draw(): string {
  const { look } = card;
  if (card.kind === 'site') return drawSiteCard(look);
  if (card.kind === 'artist') return drawArtistCard(card.artist, look, hasCover);
  if (card.kind === 'week') return drawWeekPoster(card.shape, card.week, look);
  if (card.shape === 'wide') return drawTrackCard(card.track, look, hasCover);
  return drawTrackPoster(card.shape, card.track, look, hasCover);
}

/** Where the cover is on a picture. */
const findCoverPlace = (shape: CardShape) =>
  shape === 'wide'
    ? { left: 0, top: 0, side: CARD_SHAPES.wide.height }
    : POSTER_LAYOUTS[shape].cover;

const picture = sharp(Buffer.from(draw()));
if (hasCover) {
  const { left, top, side } = findCoverPlace('shape' in card ? card.shape : 'wide');
  const square = await sharp(cover).resize(side, side, { fit: 'cover' }).toBuffer();
  picture.composite([{ input: square, left, top }]);
}
const png = await picture.png({ palette: true }).toBuffer();
if (!process.stdout.write(png)) await once(process.stdout, 'drain');
