import { coverArt } from '#contract/art/cover-art.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';

const SIDE = 512;

/** The drawn sleeve of a track. */
type Sleeve = { week: number; trackId: string };

async function renderPicture(sleeve: Sleeve): Promise<Buffer> {
  const sharp = await loadSharp();
  const drawing = coverArt({ ...sleeve, size: SIDE });
  return sharp(Buffer.from(drawing)).png({ palette: true }).toBuffer();
}

/** Lock screens show the latest tracks again and again. */
const MAX_PICTURES = 200;
const pictures = new Map<string, Promise<Buffer>>();

/** A PNG, for lock screens, which don't show SVG. The most recently used pictures stay in memory. */
export function getSleevePicture(sleeve: Sleeve): Promise<Buffer> {
  const key = `${sleeve.week} ${sleeve.trackId}`;
  const picture = pictures.get(key) ?? renderPicture(sleeve);
  pictures.delete(key);
  pictures.set(key, picture);
  picture.catch(() => pictures.delete(key));
  const [oldest] = pictures.keys();
  if (pictures.size > MAX_PICTURES && oldest !== undefined) pictures.delete(oldest);
  return picture;
}
