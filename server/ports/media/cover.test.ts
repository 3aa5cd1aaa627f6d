import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SLEEVE_STYLE } from '#contract/art/sleeve-style.ts';
import { convertDrawing, drawSleeve, normaliseCover } from './cover.ts';

const draw = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 4, background: { r: 200, g: 40, b: 90, alpha: 0.5 } },
  });
const refusal = (code: string) => expect.objectContaining({ name: 'MediaRefused', code }) as Error;

function buildChunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A tiny file that declares a picture of any size. */
function buildPng(width: number, height: number) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    buildChunk('IHDR', header),
    buildChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    buildChunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a cover', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)('is encoded again from %s', async (format) => {
    const cover = await normaliseCover(await draw(1600, 1200).toFormat(format).toBuffer());
    expect(cover.side).toBe(1000);
    const [jpeg, webp] = [await sharp(cover.jpeg).metadata(), await sharp(cover.webp).metadata()];
    expect([jpeg.format, jpeg.width, jpeg.height]).toEqual(['jpeg', 1000, 1000]);
    expect([webp.format, webp.width, webp.height]).toEqual(['webp', 1000, 1000]);
  });

  it('loses its metadata', async () => {
    const photo = await draw(300, 300)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .toBuffer();
    const { jpeg, side } = await normaliseCover(photo);
    expect(side).toBe(300);
    expect(Buffer.from(jpeg).includes('secret place')).toBe(false);
  });

  it.each([
    ['cover_too_large', 'of 30,000 pixels', buildPng(30_000, 30_000)],
    ['cover_too_large', 'of too many bytes', Buffer.alloc(21 * 1024 ** 2)],
    ['cover_vector', 'drawn in SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['cover_vector', 'drawn in SVG with a prologue', Buffer.from('<?xml version="1.0"?>\n<svg/>')],
    ['cover_unreadable', 'that is text', Buffer.from('just some text')],
    ['cover_unreadable', 'that is cut off', buildPng(900, 900)],
    ['cover_unreadable', 'that is empty', Buffer.alloc(0)],
  ])('is refused with %s if %s', async (code, _, bytes) => {
    await expect(normaliseCover(bytes)).rejects.toThrow(refusal(code));
  });
});

it('a cover of a track without one is the sleeve that pages draw, as a JPEG', async () => {
  const sleeve = (week: number) =>
    convertDrawing(drawSleeve({ id: 'golden-hour', week }, DEFAULT_SLEEVE_STYLE));
  const jpeg = await sleeve(46);
  const { format, width, height } = await sharp(jpeg).metadata();
  expect([format, width, height]).toEqual(['jpeg', 1000, 1000]);
  expect(await sleeve(46)).toEqual(jpeg);
  expect(await sleeve(47)).not.toEqual(jpeg);
});

it('a drawing that can’t be converted is an error', async () => {
  await expect(convertDrawing('<svg')).rejects.toThrow('Drawing a cover ended with code 1');
});
