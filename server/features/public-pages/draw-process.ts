import { once } from 'node:events';
import { CARD_SHAPES, type CardShape } from '#contract/art/card-shapes.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import { BONE } from './card-parts.ts';
import type { Card, CardLook } from './card-pictures.ts';
import { drawArtistCard, drawSiteCard, drawTrackCard } from './draw-card.ts';
import { drawTrackPoster, drawWeekPoster, POSTER_LAYOUTS } from './draw-poster.ts';

/** The process of draw-in-process.ts: draws one card and prints it as a PNG. */
const { card, cover, logo } = JSON.parse(process.argv[2] ?? '') as {
  card: Card;
  cover: string | null;
  logo: string | null;
};

// The input ends when the server is killed.
process.stdin.once('end', () => process.exit(1)).resume();
process.stdin.unref();

const sharp = await loadSharp();
const hasCover = cover !== null;

/** Twice the largest size that it is drawn in. */
const LOGO_WIDTH = 640;

/** Its opacity is its shape, which gets the ink of cards. */
async function inkLogo(file: string): Promise<string> {
  const { data, info } = await sharp(file)
    .resize({ width: LOGO_WIDTH, height: LOGO_WIDTH, fit: 'inside' })
    .ensureAlpha()
    .extractChannel('alpha')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const png = await sharp({ create: { width, height, channels: 3, background: BONE } })
    .joinChannel(data, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

async function readLook(): Promise<CardLook> {
  const { look } = card;
  return look.logo && logo !== null
    ? { ...look, logo: { ...look.logo, href: await inkLogo(logo) } }
    : look;
}

function draw(look: CardLook): string {
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

const picture = sharp(Buffer.from(draw(await readLook())));
if (hasCover) {
  const { left, top, side } = findCoverPlace('shape' in card ? card.shape : 'wide');
  const square = await sharp(cover).resize(side, side, { fit: 'cover' }).toBuffer();
  picture.composite([{ input: square, left, top }]);
}
const png = await picture.png({ palette: true }).toBuffer();
if (!process.stdout.write(png)) await once(process.stdout, 'drain');
