import { coverArt } from '#contract/art/cover-art.ts';
import { sleeveName } from '#contract/art/sleeve-names.ts';
import type { SleeveStyle } from '#contract/art/sleeve-style.ts';
import { keepPictures } from '../../ports/media/drawn-pictures.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';

/** The drawn sleeve of a track. */
type Sleeve = { style: SleeveStyle; week: number; trackId: string };

/** Lock screens show the latest tracks again and again. A picture has 10 to 60 KB. */
export const sleevePictures = keepPictures(8 * 1024 * 1024);

/** A PNG, for lock screens and apps, which don't show SVG. */
export const buildSleevePicture = (sleeve: Sleeve, side = 512) => ({
  key: `${sleeveName(sleeve.style, sleeve.week, sleeve.trackId)} ${side}`,
  draw: async (): Promise<Buffer> => {
    const sharp = await loadSharp();
    const drawing = coverArt({ ...sleeve, size: side });
    return sharp(Buffer.from(drawing)).png({ palette: true }).toBuffer();
  },
});
