import { coverArt } from '#contract/rules/cover-art.ts';
import { oklchToHex, weekColor } from '#contract/rules/week-colour.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';

const WIDTH = 1200;
const HEIGHT = 630;
const WEEKS = 53;
const MARGIN = 48;
const SQUARE = 512;

/** Cards are for shared links, squares for lock screens. */
export type SleeveShape = 'card' | 'square';

/** A drawn sleeve: of a track, or of a week. */
type Sleeve = { week: number; trackId?: string | undefined };

/** A sleeve next to a bar for each week of the year, with its own highlighted. */
function drawCard({ week, trackId }: Sleeve): string {
  const sleeve = coverArt({ week, trackId, size: HEIGHT }).replace('<svg ', '<svg x="0" y="0" ');
  const pitch = (WIDTH - HEIGHT - 2 * MARGIN) / WEEKS;
  const bars = Array.from({ length: WEEKS }, (_, i) => {
    const { signal } = weekColor(i + 1);
    const isThis = i + 1 === week;
    const height = isThis ? HEIGHT - 2 * MARGIN : 90 + 70 * Math.sin(i * 1.7) ** 2;
    const fill = oklchToHex(signal.l, signal.c, signal.h);
    const x = HEIGHT + MARGIN + i * pitch;
    return `<rect x="${x.toFixed(1)}" y="${(HEIGHT - MARGIN - height).toFixed(1)}" width="${(pitch * 0.66).toFixed(1)}" height="${height.toFixed(1)}" fill="${fill}" opacity="${isThis ? 1 : 0.45}"/>`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#100c09"/>${sleeve}${bars.join('')}</svg>`
  );
}

async function renderPicture(sleeve: Sleeve, shape: SleeveShape): Promise<Buffer> {
  const sharp = await loadSharp();
  const drawing = shape === 'card' ? drawCard(sleeve) : coverArt({ ...sleeve, size: SQUARE });
  return sharp(Buffer.from(drawing)).png({ palette: true }).toBuffer();
}

/** Shared links and lock screens show the latest tracks again and again. */
const MAX_PICTURES = 200;
const pictures = new Map<string, Promise<Buffer>>();

/** A PNG, for apps that don't show SVG. The most recently used pictures stay in memory. */
export function getSleevePicture(sleeve: Sleeve, shape: SleeveShape): Promise<Buffer> {
  const key = `${sleeve.week} ${sleeve.trackId ?? ''} ${shape}`;
  const picture = pictures.get(key) ?? renderPicture(sleeve, shape);
  pictures.delete(key);
  pictures.set(key, picture);
  picture.catch(() => pictures.delete(key));
  const [oldest] = pictures.keys();
  if (pictures.size > MAX_PICTURES && oldest !== undefined) pictures.delete(oldest);
  return picture;
}
