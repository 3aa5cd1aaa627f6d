import { buffer as readBytes, text as readText } from 'node:stream/consumers';
import { coverArt } from '#contract/art/cover-art.ts';
import type { SleeveStyle } from '#contract/art/sleeve-style.ts';
import { buildScriptCommand, startInBackground } from '../../background/background-process.ts';
import { drawInTurn } from './drawn-pictures.ts';
import { LIMITS } from './limits.ts';
import { loadSharp } from './load-sharp.ts';
import { MediaRefused } from './refusals.ts';

const SIDE = 1000;
const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif']);

export type Cover = { jpeg: Uint8Array; webp: Uint8Array; side: number };

const SIGNATURES: (readonly [number, string])[] = [
  [0, '\xff\xd8\xff'],
  [0, '\x89PNG\r\n\x1a\n'],
  [0, 'GIF8'],
  [8, 'WEBP'],
];

/** Only bytes that start like a supported picture reach a decoder. */
function assertPicture(bytes: Uint8Array) {
  if (bytes.length > LIMITS.coverBytes) throw new MediaRefused('cover_too_large');
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (SIGNATURES.some(([at, text]) => head.startsWith(text, at))) return;
  const isMarkup = /<(\?xml|!doctype|!--|svg)/i.test(head) || head.startsWith('\x1f\x8b');
  throw new MediaRefused(isMarkup ? 'cover_vector' : 'cover_unreadable');
}

async function convertCover(bytes: Uint8Array): Promise<Cover> {
  assertPicture(bytes);
  const sharp = await loadSharp();
  const open = (limitInputPixels: number | false) =>
    sharp(bytes, { pages: 1, failOn: 'error', limitInputPixels });
  const refuse = (cause: unknown): never => {
    throw new MediaRefused('cover_unreadable', { cause });
  };
  // Reads only the header; checking the limits here lets the message say what is wrong.
  const { format, width, height } = await open(false).metadata().catch(refuse);
  if (!FORMATS.has(format)) throw new MediaRefused('cover_unreadable');
  const isTooLarge =
    Math.max(width, height) > LIMITS.coverSide || width * height > LIMITS.coverPixels;
  if (isTooLarge) throw new MediaRefused('cover_too_large');

  const side = Math.max(1, Math.min(SIDE, width, height));
  const square = await open(LIMITS.coverPixels)
    .rotate()
    .resize(side, side, { fit: 'cover' })
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(refuse);
  const redraw = () =>
    sharp(square.data, {
      raw: { width: side, height: side, channels: square.info.channels },
    });
  const jpeg = await redraw().jpeg({ quality: 86, progressive: false }).toBuffer();
  const webp = await redraw().webp({ quality: 82 }).toBuffer();
  return { jpeg, webp, side };
}

/** Decodes, crops to a square and encodes again, without metadata. Only administrators add covers. */
export const normaliseCover = (bytes: Uint8Array): Promise<Cover> =>
  drawInTurn(() => convertCover(bytes), { isFirst: true });

const DRAW = new URL('./draw-cover-process.ts', import.meta.url);

/** The sleeve that pages draw for a track without a cover. */
export const drawSleeve = (
  { id, week }: { id: string; week: number },
  style: SleeveStyle,
): string => coverArt({ style, week, trackId: id, size: SIDE });

/** A drawing of ours as a JPEG; made in a process that ends. */
export async function convertDrawing(svg: string): Promise<Uint8Array> {
  const { command, args, env } = buildScriptCommand(DRAW, svg);
  const child = startInBackground(command, args, env);
  const [{ code }, jpeg, errors] = await Promise.all([
    child.ended,
    readBytes(child.stdout),
    readText(child.stderr),
  ]);
  if (code !== 0) throw new Error(`Drawing a cover ended with code ${code}.\n${errors}`);
  return jpeg;
}
