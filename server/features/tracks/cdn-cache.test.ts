import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { changeSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { fileBytes, seededKey, seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber, type TestUser } from '../../testing/test-user.ts';
import { findNginxPrograms, NO_NGINX } from '../../../tools/testing/find-nginx.ts';
import { findFreePort } from '../../../tools/testing/free-port.ts';
import { startCdn } from '../../../tools/testing/run-nginx.ts';

// The real server behind deploy/nginx-cdn.conf, which keeps files in pieces of 4 MB.
const MB = 1024 * 1024;
const PIECES = 3;
const long = fileBytes('stream', 9 * MB);

let test: TestApp;
let track: TracksTable;
let sipho: TestUser;
let lindiwe: TestUser;
/** What the cache has fetched from the site. */
let fetched: string[];

beforeEach(async ({ skip }) => {
  skip(!findNginxPrograms(), NO_NGINX);
  const folder = mkdtempSync(join(tmpdir(), 'nginx-cdn-'));
  const port = await findFreePort();
  test = await createTestApp({ env: { CDN_URL: `http://127.0.0.1:${port}` } });
  // Caches have a clock of their own.
  test.clock.advance(Date.now() - test.clock.now());
  const { database, storage, clock } = test.deps;
  track = await seedTrack({ db: database.db, storage, now: clock.now() });
  await storage.put(seededKey(track, 'stream'), long);
  await database.db
    .updateTable('renditions')
    .set({ size: long.length })
    .where('name', '=', 'stream')
    .execute();
  sipho = await createSubscriber(test);
  lindiwe = await createSubscriber(test, 'lindiwe');
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  fetched = [];
  test.app.server.on('request', ({ url = '', headers }) => {
    if (url.startsWith('/media/cdn/')) fetched.push(String(headers.range));
  });
  const { port: sitePort } = test.app.server.address() as AddressInfo;
  const cdn = await startCdn({ folder, port, sitePort });
  return async () => {
    await cdn.kill();
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

/** Plays like a browser: asks the site, and goes where it says. */
async function load({ client }: TestUser, headers: Record<string, string> = {}, path = '') {
  const url = path || `/media/tracks/${track.id}/stream`;
  const { headers: answer } = await client.request({ url, headers });
  const response = await fetch(String(answer.location), { headers });
  const { status } = response;
  const cache = response.headers.get('x-cache');
  return {
    status,
    cache,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const startDownload = async ({ client }: TestUser) => {
  const url = `/api/tracks/${track.id}/download`;
  const answer = await client.request({ method: 'POST', url, payload: { format: 'mp3' } });
  return answer.json<{ url: string }>().url;
};

it('two listeners are one fetch from the site', async () => {
  const first = await load(sipho);
  expect([first.status, first.cache, first.bytes.equals(long)]).toEqual([200, 'MISS', true]);
  expect(fetched).toHaveLength(PIECES);
  const second = await load(lindiwe);
  expect([second.status, second.cache, second.bytes.equals(long)]).toEqual([200, 'HIT', true]);
  expect(fetched).toHaveLength(PIECES);
  for (const name of ['etag', 'expires', 'cache-control', 'access-control-allow-origin'])
    expect(second.headers.get(name)).toBe(first.headers.get(name));
  expect(second.headers.get('set-cookie')).toBeNull();
});

it('many at the same time are one fetch too', async () => {
  const headers = { range: 'bytes=0-99' };
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => load(index % 2 ? sipho : lindiwe, headers)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([206]));
  expect(fetched).toHaveLength(1);
});

it('a range in the middle fetches only its piece, once', async () => {
  const [start, end] = [5 * MB, 5 * MB + 99];
  for (const user of [sipho, lindiwe]) {
    const part = await load(user, { range: `bytes=${start}-${end}` });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${start}-${end}/${long.length}`,
    ]);
    expect(part.bytes.equals(long.subarray(start, end + 1))).toBe(true);
  }
  expect(fetched).toEqual([`bytes=${4 * MB}-${8 * MB - 1}`]);
});

it('a download has its name, also from the cache', async () => {
  const [first, second] = [await startDownload(sipho), await startDownload(lindiwe)];
  const saved = await load(sipho, {}, first);
  const again = await load(lindiwe, {}, second);
  expect([saved.cache, again.cache]).toEqual(['MISS', 'HIT']);
  expect(again.headers.get('content-disposition')).toContain('Golden Hour Pressure.mp3');
});

it('a file that ends is refused once the cache has counted its seconds', async () => {
  const download = await startDownload(sipho);
  const now = test.clock.now();
  // The cache, whose clock is real, may keep it for one second.
  const downloadsEnd = Math.ceil(now / 1000) * 1000;
  test.clock.advance(downloadsEnd - 1000 - now);
  await changeSettings(test.deps.database.db, { downloadsEnd }, test.clock.now());
  const { headers: answer } = await test.app.inject(download);
  const ask = () => fetch(String(answer.location), { headers: { range: 'bytes=0-9' } });
  const given = await ask();
  expect([given.status, given.headers.get('cache-control')]).toEqual([
    206,
    'public, s-maxage=1, immutable',
  ]);
  test.clock.advance(1000);
  await expect.poll(async () => (await ask()).status).toBe(403);
});

it('what the cache has of a mix that is taken down lasts until the end, and nothing is added', async () => {
  const { headers } = await sipho.client.request({ url: `/media/tracks/${track.id}/stream` });
  const ask = (range: string) => fetch(String(headers.location), { headers: { range } });
  expect((await ask('bytes=0-9')).status).toBe(206);
  await test.deps.database.db
    .updateTable('tracks')
    .set({ taken_down_at: 1, restore_publish_at: 1, publish_at: null })
    .execute();
  expect((await ask('bytes=10-19')).status).toBe(206);
  expect((await ask(`bytes=${5 * MB}-`)).status).toBe(404);
});
