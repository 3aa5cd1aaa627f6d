import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { coverArt } from '#contract/art/cover-art.ts';
import { DEFAULT_SLEEVE_STYLE as style } from '#contract/art/sleeve-style.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { findMailPicture } from './mail-pictures.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

it('a track without a cover has a square picture for lock screens', async () => {
  const track = await seed();
  const draft = await seed({ publish_at: null });
  const picture = await test.app.inject({ url: `/media/sleeves/${track.id}-square.png` });
  expect(picture.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=604800',
  });
  expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ width: 512, height: 512 });
  for (const name of [
    '0.png',
    '54.png',
    '46_45.png',
    '46-square.png',
    '%00-square.png',
    `${draft.id}-square.png`,
  ])
    expect((await test.app.inject({ url: `/media/sleeves/${name}` })).statusCode).toBe(404);
});

it('that picture is the sleeve of the pages, different from that of another track of its week', async () => {
  // Sleeves are drawn from ids, and those of two random ones may look almost the same.
  const [first, second] = [await seed({ id: '1'.repeat(26) }), await seed({ id: '2'.repeat(26) })];
  const draw = async (url: string) =>
    sharp((await test.app.inject({ url })).rawPayload)
      .removeAlpha()
      .raw()
      .toBuffer();
  const differ = (a: Buffer, b: Buffer) =>
    a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length / 255;
  const square = await draw(`/media/sleeves/${first.id}-square.png`);
  const other = await draw(`/media/sleeves/${second.id}-square.png`);
  expect(differ(square, other)).toBeGreaterThan(0.02);
  const page = coverArt({ style, week: first.week, trackId: first.id, size: 512 });
  const drawn = await sharp(Buffer.from(page)).removeAlpha().raw().toBuffer();
  expect(differ(square, drawn)).toBeLessThan(0.01);
});

it('mails show a drawn sleeve as a PNG and a cover as a JPEG, which anyone may keep', async () => {
  const track = await seed({ publish_at: null });
  const webp = await sharp(Buffer.from(coverArt({ style, week: 1 })))
    .webp()
    .toBuffer();
  await test.deps.storage.put('covers/abc123.webp', webp);
  const cases = [
    [findMailPicture(track, style), 'image/png'],
    [findMailPicture({ ...track, cover_key: 'covers/abc123.webp' }, style), 'image/jpeg'],
  ] as const;
  for (const [url, type] of cases) {
    const picture = await test.app.inject({ url });
    expect(picture.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ width: 464, height: 464 });
    // An unpublished track: its picture says the week, and neither its id nor its title.
    expect(url).not.toContain(track.id);
  }
  for (const url of ['/media/covers/abc124.mail.jpg', '/media/covers/..%2Fabc123.mail.jpg'])
    expect((await test.app.inject({ url })).statusCode).toBe(404);
});
