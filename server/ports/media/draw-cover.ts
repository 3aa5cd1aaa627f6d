import sharp from 'sharp';
import { coverArt } from '#contract/rules/cover-art.ts';

const SIDE = 1000;

/** The sleeve that pages draw for a mix without a cover, as a picture. */
export const drawCover = (week: number): Promise<Uint8Array> =>
  sharp(Buffer.from(coverArt({ week, size: SIDE })))
    .flatten({ background: '#000' })
    .jpeg({ quality: 86, progressive: false })
    .toBuffer();
