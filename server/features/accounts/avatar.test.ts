import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { HOUR } from '#contract/rules/time.ts';
import { readTables } from '../../testing/read-tables.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';

let test: TestApp;
let testUser: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  testUser = await createUser(test);
});
afterEach(() => test.close());

type Colour = { r: number; g: number; b: number };
const RED = { r: 255, g: 0, b: 0 };
const BLUE = { r: 0, g: 0, b: 255 };

const picture = (width: number, height: number, background: Colour = RED) =>
  sharp({ create: { width, height, channels: 3, background } });

/** Red above blue, with metadata that says the camera was held sideways. */
const turnedPicture = async () =>
  picture(400, 800)
    .composite([{ input: await picture(400, 400, BLUE).png().toBuffer(), left: 0, top: 400 }])
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();

const upload = (bytes: Buffer, type = 'image/png', id = testUser.user.id) =>
  testUser.client.request({
    method: 'PUT',
    url: `/api/users/${id}/avatar`,
    headers: { 'content-type': type },
    payload: bytes,
  });

const listStored = () =>
  readdir(join(test.deps.config.dataDir, 'files', 'avatars')).catch(() => [] as string[]);

it('stores a square WebP and serves it with an unlimited cache lifetime', async () => {
  const response = await upload(await picture(900, 300).png().toBuffer());
  expect(response.statusCode).toBe(200);
  const { avatarUrl } = response.json<User>();
  expect(avatarUrl).toMatch(/^\/media\/avatars\/[0-9a-z]{26}\.webp$/);
  const served = await test.app.inject({ url: avatarUrl ?? '' });
  expect(served.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  const { format, width, height } = await sharp(served.rawPayload).metadata();
  expect({ format, width, height }).toEqual({ format: 'webp', width: 512, height: 512 });
});

it('rotates the picture upright and removes its location', async () => {
  const response = await upload(await turnedPicture(), 'image/jpeg');
  const served = await test.app.inject({ url: response.json<User>().avatarUrl ?? '' });
  const { exif, orientation } = await sharp(served.rawPayload).metadata();
  expect({ exif, orientation }).toEqual({ exif: undefined, orientation: undefined });
  const { data, info } = await sharp(served.rawPayload).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels)];
  expect(pixel(20, 256)[2]).toBeGreaterThan(200);
  expect(pixel(490, 256)[0]).toBeGreaterThan(200);
});

it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('accepts %s', async (format) => {
  const bytes = await picture(64, 64).toFormat(format).toBuffer();
  expect((await upload(bytes, `image/${format}`)).statusCode).toBe(200);
});

it('replaces the picture and then deletes the old file', async () => {
  await upload(await picture(64, 64).png().toBuffer());
  const [old] = await listStored();
  const response = await upload(await picture(64, 64, BLUE).png().toBuffer());
  expect(await listStored()).toHaveLength(2);
  await test.worker.runDue();
  expect(await listStored()).toEqual([response.json<User>().avatarUrl?.split('/').at(-1)]);
  expect((await test.app.inject({ url: `/media/avatars/${old}` })).statusCode).toBe(404);
});

it('keeps the current picture when the clean-up after the upload runs', async () => {
  await upload(await picture(64, 64).png().toBuffer());
  test.clock.advance(2 * HOUR);
  await test.worker.runDue();
  expect(await listStored()).toHaveLength(1);
});

it('leaves no file behind when the server stops between storing and writing the row', async () => {
  await upload(await picture(64, 64).png().toBuffer());
  await test.deps.database.db.updateTable('users').set({ avatar_key: null }).execute();
  test.clock.advance(2 * HOUR);
  await test.worker.runDue();
  expect(await listStored()).toEqual([]);
});

it('deletes the picture', async () => {
  await upload(await picture(64, 64).png().toBuffer());
  const response = await testUser.client.request({
    method: 'DELETE',
    url: `/api/users/${testUser.user.id}/avatar`,
  });
  expect(response.json()).toEqual({ ...testUser.user, avatarUrl: null });
  await test.worker.runDue();
  expect(await listStored()).toEqual([]);
});

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
const truncated = async () => (await picture(300, 300).jpeg().toBuffer()).subarray(0, 400);
/** A PNG whose header claims 60000 by 60000 pixels. */
const bomb = async () => {
  const bytes = await picture(8, 8).png().toBuffer();
  bytes.writeUInt32BE(60_000, 16);
  bytes.writeUInt32BE(60_000, 20);
  return bytes;
};

it.each<[string, () => Promise<Buffer>]>([
  ['text', async () => Buffer.from('not an image')],
  ['a drawing that could run scripts', async () => svg],
  ['a page', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['half a picture', truncated],
  ['a picture of enormous size', bomb],
  ['a signature alone', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
])('rejects %s and stores nothing', async (_name, make) => {
  const before = await readTables(test.deps.database.db);
  const response = await upload(await make());
  expect(response.statusCode).toBe(422);
  expect(response.json()).toMatchObject({ code: 'invalid_image' });
  expect(await readTables(test.deps.database.db)).toEqual(before);
  expect(await listStored()).toEqual([]);
});

it.each([
  ['image/svg+xml', svg],
  ['application/octet-stream', Buffer.from('x')],
  ['application/json', Buffer.from('{}')],
])('rejects the content type %s', async (type, bytes) => {
  const response = await upload(bytes, type);
  expect(response.statusCode).toBe(415);
  expect(response.json()).toMatchObject({ code: 'unsupported_media_type' });
});

it('rejects more than 5 MB', async () => {
  const response = await upload(Buffer.alloc(5 * 1024 * 1024 + 1));
  expect(response.statusCode).toBe(413);
  expect(response.json()).toMatchObject({ code: 'payload_too_large' });
  expect(await listStored()).toEqual([]);
});

it('rejects an upload without a body', async () => {
  const response = await testUser.client.request({
    method: 'PUT',
    url: `/api/users/${testUser.user.id}/avatar`,
  });
  expect(response.statusCode).toBe(400);
});

it("does not change other users' pictures", async () => {
  const other = await createUser(test, 'lerato');
  const bytes = await picture(64, 64).png().toBuffer();
  expect((await upload(bytes, 'image/png', other.user.id)).statusCode).toBe(404);
  const removal = { method: 'DELETE' as const, url: `/api/users/${other.user.id}/avatar` };
  expect((await testUser.client.request(removal)).statusCode).toBe(404);
  expect(await listStored()).toEqual([]);
});

it.each(['x.webp/..', '..%2f..%2fdatabase.sqlite', 'a.webp', '%2e%2e', 'x.png'])(
  'has no file called %s',
  async (name) => {
    const response = await test.app.inject({ url: `/media/avatars/${name}` });
    expect(response.statusCode).toBe(404);
  },
);
