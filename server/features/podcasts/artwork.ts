import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { coverArt } from '#contract/art/cover-art.ts';
import type { Deps } from '../../deps.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import { keepRecentPictures } from '../../ports/media/recent-pictures.ts';

/** The smallest that podcast directories accept. */
const SIDE = 1400;

async function openSquare(picture: Buffer) {
  const sharp = await loadSharp();
  return sharp(picture, { density: 288 }).resize(SIDE, SIDE).flatten({ background: '#100c09' });
}

const drawPng = async (svg: Buffer): Promise<Buffer> =>
  (await openSquare(svg)).png({ palette: true }).toBuffer();

/** The site's icon without its round corners; a drawn sleeve if there is no web app. */
const drawArtwork = (webRoot: string): Promise<Buffer> =>
  readFile(join(webRoot, 'icon.svg'))
    .then(drawPng)
    .catch(() => drawPng(Buffer.from(coverArt({ week: 1, size: SIDE }))));

/** Apps load the newest covers again and again. */
const MAX_COVERS = 50;

/** Pictures as podcast apps and directories want them. Each is drawn when an app first asks for it. */
export function createArtwork({ config, storage }: Pick<Deps, 'config' | 'storage'>) {
  const getPicture = keepRecentPictures(MAX_COVERS);

  /** Uploaded covers are WebP, which directories refuse. Null if there is none with this name. */
  async function convertCover(name: string): Promise<Buffer | null> {
    const stored = await storage.open(`covers/${name}.webp`);
    if (!stored) return null;
    return (await openSquare(await buffer(stored.stream))).jpeg({ quality: 86 }).toBuffer();
  }

  return {
    getSiteArtwork: () => getPicture('', () => drawArtwork(config.webRoot)),
    getCover: (name: string) => getPicture(name, () => convertCover(name)),
  };
}
