import { buffer } from 'node:stream/consumers';
import { drawSleeveFile } from '#contract/art/cover-art.ts';
import { SLEEVE_FOLDER, sleeveName } from '#contract/art/sleeve-names.ts';
import type { SleeveStyle } from '#contract/art/sleeve-style.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import type { Storage } from '../../ports/storage/storage.ts';

/** Twice as wide as mails show it, for dense screens. */
const SIDE = 464;

/**
 * Mail programs show neither SVG nor, some of them, WebP, and send no cookies. So this picture is for
 * everyone, even before the release: the name of a drawing says all that is on it, and nobody can
 * guess that of a cover.
 */
export const findMailPicture = (
  track: Pick<TracksTable, 'id' | 'week' | 'cover_key'>,
  style: SleeveStyle,
): string => {
  const cover = track.cover_key?.match(/^covers\/([a-z0-9]+)\.\w+$/)?.[1];
  return cover === undefined
    ? `${SLEEVE_FOLDER}${sleeveName(style, track.week, track.id)}.png`
    : `/media/covers/${cover}.mail.jpg`;
};

/** Undefined if no drawing has this name. */
export function buildSleeveForMail(file: string) {
  const name = file.endsWith('.png') ? file.slice(0, -'.png'.length) : '';
  const drawing = name.includes('_') ? undefined : drawSleeveFile(`${SLEEVE_FOLDER}${name}.svg`);
  if (drawing === undefined) return undefined;
  return {
    key: `mail ${name}`,
    draw: async (): Promise<Buffer> => {
      const sharp = await loadSharp();
      const picture = sharp(Buffer.from(drawing), { density: 144 }).resize(SIDE, SIDE);
      return picture.png({ palette: true }).toBuffer();
    },
  };
}

/** Null if there is no cover with this name. */
export const buildCoverForMail = (storage: Storage, name: string) => ({
  key: `mail cover ${name}`,
  draw: async (): Promise<Buffer | null> => {
    const stored = await storage.open(`covers/${name}.webp`);
    if (!stored) return null;
    const sharp = await loadSharp();
    const picture = sharp(await buffer(stored.stream)).resize(SIDE, SIDE);
    return picture.flatten({ background: '#100c09' }).jpeg({ quality: 82 }).toBuffer();
  },
});
