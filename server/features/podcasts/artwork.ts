import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import { coverArt } from '#contract/art/cover-art.ts';
import type { Look } from '#contract/look.ts';
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

/** The icon without its round corners; a drawn sleeve if there is no web app. */
const drawArtwork = ({ webRoot, look }: Deps['config']): Promise<Buffer> =>
  readFile(join(webRoot, 'icon.svg'))
    .then(drawPng)
    .catch(() => drawPng(Buffer.from(coverArt({ style: look.sleeves, week: 1, size: SIDE }))));

const ownPicture = ({ picture, icon }: Pick<Look, 'picture' | 'icon'>) => picture ?? icon;

/** Apps keep a picture for as long as its address is the same. */
export function artworkPath(look: Pick<Look, 'picture' | 'icon'>): string {
  const own = ownPicture(look);
  return own ? `/feed/artwork.jpg?v=${own.name.split('-')[0]}` : '/feed/artwork.png';
}

/** Apps load the newest covers again and again. A picture has 100 to 300 KB. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Pictures as podcast apps and directories want them. Each is drawn when an app first asks for it. */
export function createArtwork(deps: Deps) {
  const { config, storage } = deps;
  const pictures = keepPictures(MAX_BYTES);

  /** What is uploaded becomes WebP or PNG, which directories refuse or which is large. Null if there is none. */
  async function convertPicture(storageKey: string): Promise<Buffer | null> {
    const stored = await storage.open(storageKey);
    if (!stored) return null;
    return (await openSquare(await buffer(stored.stream))).jpeg({ quality: 86 }).toBuffer();
  }

  return {
    getSiteArtwork: (request: FastifyRequest) =>
      getPicture(deps, request, pictures, { key: '', draw: () => drawArtwork(config) }),
    /** The DJ’s own picture or icon; null if the site has none. */
    getOwnArtwork: async (request: FastifyRequest) => {
      const own = ownPicture(config.look);
      const key = own && `look/${own.name}`;
      return key && getPicture(deps, request, pictures, { key, draw: () => convertPicture(key) });
    },
    getCover: (request: FastifyRequest, name: string) =>
      getPicture(deps, request, pictures, {
        key: name,
        draw: () => convertPicture(`covers/${name}.webp`),
      }),
  };
}
