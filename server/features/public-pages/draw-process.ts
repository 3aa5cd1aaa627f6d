import { once } from 'node:events';
import { CARD_SHAPES, type CardShape } from '#contract/art/card-shapes.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import { BONE } from './card-parts.ts';
import { listCoverKeys, type Card, type CardLook, type ClipCard } from './card-pictures.ts';
import {
  CLIP_LAYOUTS,
  CLIP_SHAPES,
  clipPictures,
  drawClipBase,
  drawClipLabel,
  drawClipWave,
} from './draw-clip.ts';
import { drawArtistCard, drawSiteCard, drawTrackCard } from './draw-card.ts';
import type { Pictures } from './draw-in-process.ts';
import { drawTrackPoster, drawWeekPoster, POSTER_LAYOUTS } from './draw-poster.ts';
import { drawYear, placeSleeves, type Tile } from './draw-year.ts';

/** The process of draw-in-process.ts: draws one card and prints it as a PNG, or writes those of a clip. */
const { card, covers, logo } = JSON.parse(process.argv[2] ?? '') as Pictures & {
  card: Card | ClipCard;
};

// The input ends when the server is killed.
process.stdin.once('end', () => process.exit(1)).resume();
process.stdin.unref();

const sharp = await loadSharp();
const hasCover = listCoverKeys(card).some((key) => covers[key] !== undefined);

/** Twice the largest size that it is drawn in. */
const LOGO_WIDTH = 640;

/** Its opacity is its shape, which gets the ink of cards. */
async function inkLogo(file: string): Promise<string> {
  const { data, info } = await sharp(file)
    .resize({ width: LOGO_WIDTH, height: LOGO_WIDTH, fit: 'inside' })
    .ensureAlpha()
    .extractChannel('alpha')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const png = await sharp({ create: { width, height, channels: 3, background: BONE } })
    .joinChannel(data, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

async function readLook(): Promise<CardLook> {
  const { look } = card;
  return look.logo && logo !== null
    ? { ...look, logo: { ...look.logo, href: await inkLogo(logo) } }
    : look;
}

function draw(one: Card, look: CardLook): string {
  if (one.kind === 'site') return drawSiteCard(look);
  if (one.kind === 'artist') return drawArtistCard(one.artist, look, hasCover);
  if (one.kind === 'week') return drawWeekPoster(one.shape, one.week, look);
  if (one.kind === 'year') {
    const covered = one.year.sleeves.filter(({ coverKey }) => coverKey && covers[coverKey]);
    return drawYear(one.shape, one.year, look, new Set(covered.map(({ id }) => id)));
  }
  if (one.shape === 'wide') return drawTrackCard(one.track, look, hasCover);
  return drawTrackPoster(one.shape, one.track, look, hasCover);
}

function findCoverPlace(shape: CardShape): Tile {
  const { left, top, side } =
    shape === 'wide'
      ? { left: 0, top: 0, side: CARD_SHAPES.wide.height }
      : POSTER_LAYOUTS[shape].cover;
  return { left, top, width: side, height: side };
}

/** Where the covers are on a picture. */
function listCoverPlaces(one: Card): { key: string; tile: Tile }[] {
  if (one.kind === 'year')
    return placeSleeves(one.shape, one.year).flatMap(({ sleeve, tile }) =>
      sleeve.coverKey ? [{ key: sleeve.coverKey, tile }] : [],
    );
  const tile = findCoverPlace('shape' in one ? one.shape : 'wide');
  return listCoverKeys(one).map((key) => ({ key, tile }));
}

async function addCovers(drawing: string, places: ReturnType<typeof listCoverPlaces>) {
  const layers: { input: Buffer; left: number; top: number }[] = [];
  for (const { key, tile } of places) {
    const file = covers[key];
    if (file === undefined) continue;
    const { left, top, width, height } = tile;
    const input = await sharp(file).resize(width, height, { fit: 'cover' }).toBuffer();
    layers.push({ input, left, top });
  }
  return sharp(Buffer.from(drawing)).composite(layers);
}

async function printCard(one: Card, look: CardLook) {
  const picture = await addCovers(draw(one, look), listCoverPlaces(one));
  // A year has more colours than a palette.
  const png = await picture.png({ palette: one.kind !== 'year' }).toBuffer();
  if (!process.stdout.write(png)) await once(process.stdout, 'drain');
}

async function writeClip(one: ClipCard, look: CardLook) {
  const { folder, track, bars, labels } = one;
  const clip = { track, look };
  const write = (drawing: string, file: string) =>
    sharp(Buffer.from(drawing)).removeAlpha().png().toFile(file);
  for (const shape of CLIP_SHAPES) {
    const to = clipPictures(folder, shape, { labels });
    const { left, top, side } = CLIP_LAYOUTS[shape].cover;
    const tile = { left, top, width: side, height: side };
    const places = listCoverKeys(one).map((key) => ({ key, tile }));
    const base = await addCovers(drawClipBase(shape, clip, hasCover), places);
    await base.removeAlpha().png().toFile(to.base);
    await write(drawClipWave(shape, clip, { bars, isHeard: true }), to.heard);
    await write(drawClipWave(shape, clip, { bars, isHeard: false }), to.rest);
    for (const [index, label] of labels.entries())
      await write(drawClipLabel(shape, clip, label), to.labels[index] ?? '');
  }
  process.stdout.write('done');
}

const look = await readLook();
await (card.kind === 'clip' ? writeClip(card, look) : printCard(card, look));
