import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { convertLookImage } from './convert-images.ts';
import { LookImageRefused } from './look-image-refused.ts';

const { logo, picture, icon } = convertLookImage;

const svg = (content: string, attributes = 'viewBox="0 0 400 200"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);
const drawPng = (content: string, attributes = 'width="400" height="200"') =>
  sharp(svg(content, attributes)).png().toBuffer();

const BAR = '<rect x="100" y="80" width="200" height="40"/>';

/** The opacity at the middle of each of these columns, from 0 to 9. */
async function readInk(bytes: Buffer, columns = 8): Promise<string> {
  const { data } = await sharp(bytes, { density: 300 })
    .ensureAlpha()
    .resize(columns, 1, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Array.from({ length: columns }, (_, i) => Math.round((data[i * 4 + 3] ?? 0) / 28.3)).join(
    '',
  );
}

describe('a logo', () => {
  it('stays a drawing, without its margin and its colours', async () => {
    const { extension, width, height, versions, leftOut } = await logo(
      svg(`<script>alert(1)</script><g fill="#c00">${BAR}</g>`),
    );
    expect({ extension, width, height, leftOut }).toEqual({
      extension: 'svg',
      width: 720,
      height: 144,
      leftOut: ['a script'],
    });
    expect(versions[''].toString()).toMatch(
      /^<svg [^>]*viewBox="100 80 200 40" fill="currentColor">/,
    );
    expect(versions[''].toString()).not.toMatch(/script|#c00/);
  });

  it('keeps white parts on a dark shape as holes', async () => {
    const { extension, versions } = await logo(
      svg(
        '<rect width="400" height="200" rx="50"/><rect x="200" width="100" height="200" fill="#fff"/>',
      ),
    );
    expect(extension).toBe('png');
    expect(await readInk(versions[''])).toBe('99990099');
  });

  it.each([
    ['black on nothing', BAR, '9999'],
    ['white on nothing', `<g fill="#fff">${BAR}</g>`, '9999'],
    ['black on white', `<rect width="400" height="200" fill="#fff"/>${BAR}`, '9999'],
    ['white on black', `<rect width="400" height="200"/><g fill="#fff">${BAR}</g>`, '9999'],
    [
      'blue on yellow',
      `<rect width="400" height="200" fill="#fd0"/><g fill="#00a">${BAR}</g>`,
      '9999',
    ],
    [
      'half of it grey',
      `<rect width="400" height="200" fill="#fff"/>${BAR}<rect x="200" y="80" width="100" height="40" fill="#777"/>`,
      '9955',
    ],
  ])('of pixels is its shape, cut to it: %s', async (_what, content, ink) => {
    const { extension, versions, width, height } = await logo(await drawPng(content));
    expect([extension, width, height]).toEqual(['png', 720, 144]);
    expect(await readInk(versions[''], 4)).toMatch(new RegExp(ink.replaceAll('5', '[456]')));
  });

  it('is dark on light for mail programs, which show no masks', async () => {
    const { versions } = await logo(svg(`<g fill="#fff">${BAR}</g>`));
    const { data, info } = await sharp(versions.mail).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(3);
    const at = (x: number, y: number) => data[(y * info.width + x) * 3];
    expect(at(2, 2)).toBeGreaterThan(230);
    expect(at(info.width / 2, info.height / 2)).toBeLessThan(40);
  });

  it('keeps nothing of the file it came in', async () => {
    const bytes = await sharp(await drawPng(BAR))
      .withExif({ IFD0: { Copyright: 'where I live' } })
      .png()
      .toBuffer();
    expect(bytes.toString('latin1')).toContain('where I live');
    const { versions } = await logo(bytes);
    for (const version of Object.values(versions))
      expect(version.toString('latin1')).not.toContain('where I live');
  });

  it.each([
    [
      'a JPEG',
      async () =>
        sharp(await drawPng(BAR))
          .jpeg()
          .toBuffer(),
      'SVG or a PNG',
    ],
    ['a broken PNG', async () => (await drawPng(BAR)).subarray(0, 300), 'can’t be read'],
    ['a plain square', () => drawPng('<rect width="400" height="200"/>'), 'stands out'],
    [
      'an invisible one',
      () => drawPng('<g opacity="0"><rect width="9" height="9"/></g>'),
      'stands out',
    ],
    ['a hairline', () => drawPng('<rect y="99" width="400" height="2"/>'), 'too wide'],
    ['two megabytes of SVG', async () => svg(`${BAR}${' '.repeat(2_000_000)}`), 'larger than 1 MB'],
    ['nothing', async () => Buffer.alloc(0), 'SVG or a PNG'],
    [
      'more pixels than a wall has',
      async () => {
        const bytes = await drawPng(BAR);
        bytes.writeUInt32BE(60_000, 16);
        bytes.writeUInt32BE(60_000, 20);
        return bytes;
      },
      /can’t be read|too many/,
    ],
  ])('is refused with a sentence if it is %s', async (_what, make, sentence) => {
    const error = await logo(await make()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LookImageRefused);
    expect((error as Error).message).toMatch(sentence);
  });
});

const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a52' } })
    .jpeg()
    .toBuffer();

describe('a picture', () => {
  it('is kept at a size for pages, and a smaller one for phones', async () => {
    const { width, height, versions } = await picture(await photo(3000, 2000));
    expect([width, height]).toEqual([1600, 1067]);
    expect(await sharp(versions.small).metadata()).toMatchObject({ width: 640, format: 'webp' });
  });

  it('is refused if it is tiny or no picture', async () => {
    await expect(picture(await photo(100, 100))).rejects.toThrow('only 100 × 100 pixels');
    await expect(picture(svg(BAR))).rejects.toThrow('JPEG, PNG, WebP or AVIF');
  });
});

describe('an icon', () => {
  it('is made in every size that phones and browsers ask for', async () => {
    const { versions } = await icon(await photo(700, 500));
    const sizes = await Promise.all(
      Object.entries(versions).map(async ([name, bytes]) => [
        name,
        (await sharp(bytes).metadata()).width,
      ]),
    );
    expect(Object.fromEntries(sizes)).toEqual({
      '': 512,
      192: 192,
      180: 180,
      32: 32,
      maskable: 512,
    });
  });

  it('continues its ground beyond the edge where phones cut it to a circle', async () => {
    const { versions } = await icon(await photo(512, 512));
    const [corner, middle] = await Promise.all(
      [2, 256].map((at) =>
        sharp(versions.maskable)
          .extract({ left: at, top: at, width: 1, height: 1 })
          .raw()
          .toBuffer(),
      ),
    );
    expect([...(corner ?? [])]).toEqual([...(middle ?? [])]);
  });

  it('can be a drawing, in light ink on the dark ground of the app', async () => {
    const { versions } = await icon(svg(BAR));
    const { dominant } = await sharp(versions['']).stats();
    expect(dominant.r).toBeLessThan(40);
    expect((await sharp(versions['']).stats()).channels[0]?.max).toBeGreaterThan(220);
  });

  it('is refused if it is too small', async () => {
    await expect(icon(await photo(64, 64))).rejects.toThrow('at least 192');
  });
});
