import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import { coverArt } from '#contract/art/cover-art.ts';
import { DEFAULT_SLEEVE_STYLE } from '#contract/art/sleeve-style.ts';
import type { Deps } from '../../deps.ts';
import { getPicture } from '../../http/load/get-picture.ts';
import { keepPictures } from '../../ports/media/drawn-pictures.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';

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
    .catch(() =>
      drawPng(Buffer.from(coverArt({ style: DEFAULT_SLEEVE_STYLE, week: 1, size: SIDE }))),
    );

/** Apps load the newest covers again and again. A picture has 100 to 300 KB. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Pictures as podcast apps and directories want them. Each is drawn when an app first asks for it. */
export function createArtwork(deps: Deps) {
  const { config, storage } = deps;
  const pictures = keepPictures(MAX_BYTES);

  /** Uploaded covers are WebP, which directories refuse. Null if there is none with this name. */
  async function convertCover(name: string): Promise<Buffer | null> {
    const stored = await storage.open(`covers/${name}.webp`);
    if (!stored) return null;
    return (await openSquare(await buffer(stored.stream))).jpeg({ quality: 86 }).toBuffer();
  }

  return {
    getSiteArtwork: (request: FastifyRequest) =>
      getPicture(deps, request, pictures, { key: '', draw: () => drawArtwork(config.webRoot) }),
    getCover: (request: FastifyRequest, name: string) =>
      getPicture(deps, request, pictures, { key: name, draw: () => convertCover(name) }),
  };
}
