import type { Sharp } from 'sharp';
import type { LookImageKind } from '#contract/look.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import { findInkBox, toInk, type Ink, type Pixels } from './ink.ts';
import { LookImageRefused } from './look-image-refused.ts';
import { rebuildSvg, type RebuiltSvg } from './rebuild-svg.ts';

/** A picture in the versions that are used, the main one under an empty name. */
export type ConvertedImage = {
  extension: 'svg' | 'png' | 'webp' | 'jpg';
  width: number;
  height: number;
  versions: { '': Buffer } & Record<string, Buffer>;
  /** The version that a page shows before anything is saved. */
  preview: string;
  leftOut: string[];
};

/** A decoded picture takes four bytes per pixel, and a small file can claim to be enormous. */
const MAX_PIXELS = 50_000_000;
const MAX_SVG_BYTES = 1024 * 1024;

/** The dark ground of the app, the ink on it, and the same in the light theme. */
const DARK = '#100c09';
const BONE = '#f2eade';
const LIGHT = '#f6f2ea';
const INK = '#1b1613';

const startsWith = (bytes: Buffer, text: string, offset = 0) =>
  bytes.toString('latin1', offset, offset + text.length) === text;

const isPng = (bytes: Buffer): boolean => startsWith(bytes, '\x89PNG\r\n\x1a\n');
const isPhoto = (bytes: Buffer): boolean =>
  isPng(bytes) ||
  startsWith(bytes, '\xff\xd8\xff') ||
  (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) ||
  startsWith(bytes, 'ftypavif', 4);

function readSvg(bytes: Buffer): RebuiltSvg | null {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (!/^\s*</.test(text) || !/<(?:svg:)?svg[\s>]/.test(text)) return null;
  if (bytes.length > MAX_SVG_BYTES)
    throw new LookImageRefused('This SVG is larger than 1 MB. Simplify it, or save it as a PNG.');
  return rebuildSvg(text);
}

const unreadable = new LookImageRefused(
  'This picture can’t be read. Save it again in the program that made it, then choose it once more.',
);

/** Decodes nothing before the size is known. */
async function openPicture(
  bytes: Buffer,
): Promise<{ picture: Sharp; width: number; height: number }> {
  const sharp = await loadSharp();
  const open = (limitInputPixels: number | false) =>
    sharp(bytes, { pages: 1, failOn: 'error', limitInputPixels });
  const { width, height } = await open(false)
    .metadata()
    .catch((): never => {
      throw unreadable;
    });
  if (width * height > MAX_PIXELS)
    throw new LookImageRefused(
      `This picture has ${width} × ${height} pixels, which is too many. 4000 × 4000 are enough for everything.`,
    );
  return { picture: open(MAX_PIXELS).rotate().toColourspace('srgb'), width, height };
}

/** What went wrong with the pixels is always the picture's fault: we don't tell the reader how. */
const finish = (picture: Sharp): Promise<Buffer> =>
  picture
    .timeout({ seconds: 20 })
    .toBuffer()
    .catch((): never => {
      throw unreadable;
    });

async function readPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .ensureAlpha()
    .raw()
    .timeout({ seconds: 20 })
    .toBuffer({ resolveWithObject: true })
    .catch((): never => {
      throw unreadable;
    });
  return { data, width: info.width, height: info.height };
}

/** The largest size in which a logo is looked at, and in which it is kept as pixels: three times what is shown. */
const LOOKED_AT = 1200;
const MASK = { width: 720, height: 240 };
/** Larger drawings are kept as pixels, which are smaller. */
const MAX_KEPT_SVG_BYTES = 24 * 1024;
const MAX_RATIO = 12;

const drawSvg = async (
  svg: RebuiltSvg,
  options: Parameters<RebuiltSvg['draw']>[0],
): Promise<Sharp> => {
  const sharp = await loadSharp();
  return sharp(Buffer.from(svg.draw(options)), { limitInputPixels: MAX_PIXELS });
};

/** So wide that the longer side has as many pixels as we look at. */
const widthOf = ({ width, height }: { width: number; height: number }): number =>
  Math.max(1, Math.round(LOOKED_AT * Math.min(1, width / height)));

function findLogo(pixels: Pixels): { ink: Ink; box: ReturnType<typeof findInkBox> } {
  const ink = toInk(pixels);
  if (!ink)
    throw new LookImageRefused(
      'There is nothing in this picture that stands out from its ground. Choose one with a transparent or plain ground.',
    );
  const box = findInkBox(ink, pixels);
  if (box.width > box.height * MAX_RATIO || box.height > box.width * MAX_RATIO)
    throw new LookImageRefused(
      `This logo is too ${box.width > box.height ? 'wide' : 'high'}: use one whose sides differ at most twelvefold.`,
    );
  return { ink, box };
}

/** The shape of a logo as pixels of one colour. */
async function colourInk(
  { alpha }: Ink,
  { width, height }: Pixels,
  colour: string,
): Promise<Sharp> {
  const sharp = await loadSharp();
  const ink = sharp({ create: { width, height, channels: 3, background: colour } });
  const opacity = { raw: { width, height, channels: 1 as const } };
  return sharp(await ink.joinChannel(Buffer.from(alpha), opacity).png().toBuffer());
}

async function convertLogo(bytes: Buffer): Promise<ConvertedImage> {
  const svg = readSvg(bytes);
  if (!svg && !isPng(bytes)) throw new LookImageRefused('Choose a logo that is an SVG or a PNG.');
  const picture = svg
    ? await drawSvg(svg, { inkOf: 'drawing', width: widthOf(svg.box) })
    : (await openPicture(bytes)).picture.resize(LOOKED_AT, LOOKED_AT, {
        fit: 'inside',
        withoutEnlargement: true,
      });
  const pixels = await readPixels(picture);
  const { ink, box } = findLogo(pixels);
  const mask = await finish(
    (await colourInk(ink, pixels, INK))
      .extract(box)
      .resize({ ...MASK, fit: 'inside' })
      .png(),
  );
  const kept = svg && ink.isWhatIsCovered ? trimSvg(svg, pixels, box) : null;
  const isDrawing = kept !== null && kept.length <= MAX_KEPT_SVG_BYTES;
  const sharp = await loadSharp();
  const size = await sharp(mask).metadata();
  return {
    extension: isDrawing ? 'svg' : 'png',
    width: size.width,
    height: size.height,
    versions: {
      '': isDrawing ? kept : await finish(sharp(mask).png({ palette: true, compressionLevel: 9 })),
      mail: await drawForMail(mask),
    },
    preview: '',
    leftOut: svg?.leftOut ?? [],
  };
}

/** Without the margin around it. */
function trimSvg(svg: RebuiltSvg, pixels: Pixels, box: ReturnType<typeof findInkBox>): Buffer {
  const scale = { x: svg.box.width / pixels.width, y: svg.box.height / pixels.height };
  const shown = {
    x: svg.box.x + box.left * scale.x,
    y: svg.box.y + box.top * scale.y,
    width: box.width * scale.x,
    height: box.height * scale.y,
  };
  return Buffer.from(svg.draw({ inkOf: 'page', box: shown }));
}

/** Twice the size in which a mail shows it, without its margin. */
const MAIL_LOGO = { width: 440, height: 88, margin: 16 };

/** Mail programs show neither SVG nor masks, and some darken the page but no picture: so ink on a light ground. */
async function drawForMail(mask: Buffer): Promise<Buffer> {
  const sharp = await loadSharp();
  const { width, height, margin } = MAIL_LOGO;
  return finish(
    sharp(mask)
      .resize({ width, height, fit: 'inside' })
      .flatten({ background: LIGHT })
      .extend({ top: margin, bottom: margin, left: margin, right: margin, background: LIGHT })
      .png({ palette: true }),
  );
}

const FULL = 1600;
const SMALL = 640;
const MIN_PICTURE = 240;

const openPhoto = async (bytes: Buffer): Promise<Sharp> => {
  if (!isPhoto(bytes))
    throw new LookImageRefused('Choose a picture that is a JPEG, PNG, WebP or AVIF.');
  const { picture, width, height } = await openPicture(bytes);
  if (Math.min(width, height) < MIN_PICTURE)
    throw new LookImageRefused(
      `This picture has only ${width} × ${height} pixels. Use one with at least ${MIN_PICTURE} on each side.`,
    );
  return picture.flatten({ background: LIGHT });
};

/** In two sizes, given by their longer side. */
async function convertPhoto(
  bytes: Buffer,
  { full, small, extension }: { full: number; small: number; extension: 'webp' | 'jpg' },
): Promise<ConvertedImage> {
  const draw = (picture: Sharp, side: number, quality: number): Promise<Buffer> => {
    const sized = picture.resize(side, side, { fit: 'inside', withoutEnlargement: true });
    return finish(
      extension === 'webp' ? sized.webp({ quality }) : sized.jpeg({ quality, mozjpeg: true }),
    );
  };
  const main = await draw(await openPhoto(bytes), full, 82);
  const sharp = await loadSharp();
  const { width, height } = await sharp(main).metadata();
  const versions = { '': main, small: await draw(sharp(main), small, 80) };
  return { extension, width, height, versions, preview: 'small', leftOut: [] };
}

const convertPicture = (bytes: Buffer): Promise<ConvertedImage> =>
  convertPhoto(bytes, { full: FULL, small: SMALL, extension: 'webp' });

/** Twice as wide as mails show it; some mail programs show no WebP. */
const MAIL_WIDTH = 1104;

const convertLetterPicture = (bytes: Buffer): Promise<ConvertedImage> =>
  convertPhoto(bytes, { full: MAIL_WIDTH, small: SMALL, extension: 'jpg' });

const ICON = 512;
const MIN_ICON = 192;
/** Phones cut icons to a circle; what is within this share of the side stays. */
const SAFE_SHARE = 0.8;
const DRAWN_SHARE = 0.66;

async function convertIcon(bytes: Buffer): Promise<ConvertedImage> {
  const sharp = await loadSharp();
  const svg = readSvg(bytes);
  if (!svg && !isPhoto(bytes))
    throw new LookImageRefused('Choose an icon that is a PNG, SVG, JPEG or WebP.');
  const square = svg ? await drawIcon(svg) : await cutIcon(bytes);
  const draw = (side: number) =>
    finish(sharp(square).resize(side, side).png({ compressionLevel: 9 }));
  const opaque = await finish(sharp(square).flatten({ background: DARK }).png());
  const safe = Math.round(ICON * (svg ? 1 : SAFE_SHARE));
  const border = Math.floor((ICON - safe) / 2);
  const background = await readCorner(opaque);
  const maskable = sharp(opaque).resize(safe, safe);
  return {
    extension: 'png',
    width: ICON,
    height: ICON,
    versions: {
      '': await draw(ICON),
      192: await draw(192),
      180: await finish(sharp(opaque).resize(180, 180).png({ compressionLevel: 9 })),
      32: await draw(32),
      maskable: await finish(
        maskable
          .extend({
            top: border,
            left: border,
            bottom: ICON - safe - border,
            right: ICON - safe - border,
            background,
          })
          .png({ compressionLevel: 9 }),
      ),
    },
    preview: '192',
    leftOut: svg?.leftOut ?? [],
  };
}

/** The colour that continues the icon beyond its edge. */
async function readCorner(picture: Buffer) {
  const sharp = await loadSharp();
  const [r = 0, g = 0, b = 0] = await sharp(picture)
    .extract({ left: 0, top: 0, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer();
  return { r, g, b };
}

async function cutIcon(bytes: Buffer): Promise<Buffer> {
  const { picture, width, height } = await openPicture(bytes);
  if (Math.min(width, height) < MIN_ICON)
    throw new LookImageRefused(
      `This icon has only ${width} × ${height} pixels. Use one with at least ${MIN_ICON} on each side.`,
    );
  return finish(picture.resize(ICON, ICON, { fit: 'cover' }).png());
}

/** A drawing has one ink here too, on the dark ground of the app. */
async function drawIcon(svg: RebuiltSvg): Promise<Buffer> {
  const sharp = await loadSharp();
  const drawing = await drawSvg(svg, { inkOf: 'drawing', width: widthOf(svg.box) });
  const pixels = await readPixels(drawing);
  const { ink, box } = findLogo(pixels);
  const side = Math.round(ICON * DRAWN_SHARE);
  const shape = await finish(
    (await colourInk(ink, pixels, BONE)).extract(box).resize(side, side, { fit: 'inside' }).png(),
  );
  const ground = sharp({ create: { width: ICON, height: ICON, channels: 3, background: DARK } });
  return finish(ground.composite([{ input: shape, gravity: 'centre' }]).png());
}

/** Encodes a picture again in the versions that we use: nothing of the file itself is kept. */
export const convertLookImage: Record<
  LookImageKind | 'letter',
  (bytes: Buffer) => Promise<ConvertedImage>
> = {
  logo: convertLogo,
  picture: convertPicture,
  icon: convertIcon,
  letter: convertLetterPicture,
};
