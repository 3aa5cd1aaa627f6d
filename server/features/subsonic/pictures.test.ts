import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { drawInTurn } from '../../ports/media/drawn-pictures.ts';
import { drawnByUser } from '../../http/load/get-picture.ts';
import { consumeRateLimit } from '../../http/route/rate-limit.ts';
import { newId } from '../../db/ids.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createMusicApp, seed, type TestMusicApp } from '../../testing/test-subsonic.ts';
import { createSubscriber, type TestUser } from '../../testing/test-user.ts';

let test: TestApp;
let member: TestUser;
let app: TestMusicApp;
let webp: Buffer;
let release: (() => void)[];
beforeEach(async () => {
  test = await createTestApp();
  member = await createSubscriber(test);
  app = await createMusicApp(test, member);
  webp = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#c33' } })
    .webp()
    .toBuffer();
  release = [];
});
afterEach(async () => {
  for (const each of release) each();
  await test.close();
});

/** A mix whose cover is a pipe: whoever opens it keeps a thread until it is released. */
async function seedStuckCover(): Promise<string> {
  const { config, storage, clock } = test.deps;
  const key = `covers/${newId(clock.now())}.webp`;
  // So that the folder exists.
  await storage.put(key, webp);
  const path = join(config.dataDir, 'files', key);
  const pipe = `${path}.pipe`;
  execFileSync('mkfifo', [pipe]);
  renameSync(pipe, path);
  release.push(() => {
    const writer = openSync(path, constants.O_RDWR);
    // Those who open it from now on find the picture.
    writeFileSync(pipe, webp);
    renameSync(pipe, path);
    writeSync(writer, webp);
    closeSync(writer);
  });
  return (await seed(test, { cover_key: key, week: 40 })).id;
}

it('audio is answered while pictures are stuck: two are drawn at a time, and the others wait', async () => {
  const mix = await seed(test);
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) ids.push(await seedStuckCover());
  const opened: string[] = [];
  const { storage } = test.deps;
  const open = storage.open.bind(storage);
  vi.spyOn(storage, 'open').mockImplementation((key, range) => {
    if (key.startsWith('covers/')) opened.push(key);
    return open(key, range);
  });

  const covers = ids.map((id, index) => app.request('getCoverArt', { id, size: 100 + index }));
  await expect.poll(() => opened.length).toBe(2);
  const audio = await app.request('stream', { id: mix.id }, { range: 'bytes=7-13' });
  expect([audio.statusCode, audio.body]).toEqual([206, 'STREAM:']);
  expect(opened).toHaveLength(2);

  for (const each of release.splice(0)) each();
  for (const { statusCode, rawPayload } of await Promise.all(covers)) {
    expect(statusCode).toBe(200);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 128, format: 'jpeg' });
  }
});

it('a member with too many pictures in the queue is told to wait, and others aren’t', async () => {
  const mix = await seed(test);
  const other = await createMusicApp(test, await createSubscriber(test, 'zola'));
  const gate = Promise.withResolvers<void>();
  const place = { subjects: [member.user.id] };
  const stuck = Array.from({ length: 24 }, () => drawInTurn(() => gate.promise, place));

  const refused = await app.request('getCoverArt', { id: mix.id, size: 300 });
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '3']);
  expect(refused.json()).toMatchObject({
    'subsonic-response': {
      error: {
        message: 'Too many pictures are being drawn right now. Try again in a moment.',
      },
    },
  });
  const waiting = other.request('getCoverArt', { id: mix.id, size: 300 });
  gate.resolve();
  await Promise.all(stuck);
  expect((await waiting).statusCode).toBe(200);
});

it('a member can have only so many pictures drawn, and those that were drawn stay free', async () => {
  const mix = await seed(test);
  expect((await app.request('getCoverArt', { id: mix.id, size: 100 })).statusCode).toBe(200);
  const { database, clock } = test.deps;
  const use = { rule: drawnByUser, subject: member.user.id };
  while ((await consumeRateLimit(database.db, use, clock.now())).isAllowed);
  expect((await app.request('getCoverArt', { id: mix.id, size: 500 })).statusCode).toBe(429);
  expect((await app.request('getCoverArt', { id: mix.id, size: 90 })).statusCode).toBe(200);
});

it('the pictures of lock screens wait in the same queue', async () => {
  const mix = await seed(test);
  const gate = Promise.withResolvers<void>();
  const stuck = [drawInTurn(() => gate.promise), drawInTurn(() => gate.promise)];
  let isAnswered = false;
  const picture = test.app.inject({ url: `/media/sleeves/${mix.id}-square.png` });
  void picture.then(() => (isAnswered = true));
  const audio = await app.request('stream', { id: mix.id }, { range: 'bytes=7-13' });
  expect([audio.statusCode, isAnswered]).toEqual([206, false]);
  gate.resolve();
  await Promise.all(stuck);
  expect((await picture).statusCode).toBe(200);
});
