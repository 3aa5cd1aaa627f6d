import { once } from 'node:events';
import { CARD_SIZE } from '../../http/pages/page-head.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import type { Card } from './card-pictures.ts';
import { drawSiteCard, drawTrackCard } from './draw-card.ts';

/** The process of draw-in-process.ts: draws one card and prints it as a PNG. */
const { card, cover } = JSON.parse(process.argv[2] ?? '') as { card: Card; cover: string | null };

// The input ends when the server is killed.
process.stdin.once('end', () => process.exit(1)).resume();
process.stdin.unref();

const sharp = await loadSharp();
const drawing =
  card.kind === 'site'
    ? drawSiteCard(card.siteName)
    : drawTrackCard(card.track, card.siteName, cover !== null);
const picture = sharp(Buffer.from(drawing));
if (cover !== null) {
  const side = CARD_SIZE.height;
  const square = await sharp(cover).resize(side, side, { fit: 'cover' }).toBuffer();
  picture.composite([{ input: square, left: 0, top: 0 }]);
}
const png = await picture.png({ palette: true }).toBuffer();
if (!process.stdout.write(png)) await once(process.stdout, 'drain');
