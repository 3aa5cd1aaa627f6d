import { coverArt } from '#contract/rules/cover-art.ts';
import { loadSharp } from './load-sharp.ts';

const SIDE = 1000;

/** The sleeve that pages draw for a mix without a cover, as a picture. */
export async function drawCover(week: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(Buffer.from(coverArt({ week, size: SIDE })))
    .flatten({ background: '#000' })
    .jpeg({ quality: 86, progressive: false })
    .toBuffer();
}
