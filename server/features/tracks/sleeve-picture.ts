import { coverArt } from '#contract/art/cover-art.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import { keepRecentPictures } from '../../ports/media/recent-pictures.ts';

const SIDE = 512;

/** The drawn sleeve of a track. */
type Sleeve = { week: number; trackId: string };

async function renderPicture(sleeve: Sleeve, size: number): Promise<Buffer> {
  const sharp = await loadSharp();
  const drawing = coverArt({ ...sleeve, size });
  return sharp(Buffer.from(drawing)).png({ palette: true }).toBuffer();
}

/** Lock screens show the latest tracks again and again. */
const getPicture = keepRecentPictures(200);

/** A PNG, for lock screens and apps, which don't show SVG. */
export const getSleevePicture = (sleeve: Sleeve, side = SIDE): Promise<Buffer> =>
  getPicture(`${sleeve.week} ${sleeve.trackId} ${side}`, () => renderPicture(sleeve, side));
