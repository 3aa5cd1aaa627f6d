import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { HOUR } from '#contract/rules/time.ts';
import { changeSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { startS3Server } from '../../testing/s3-server.ts';
import { fileBytes, seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createMusicApp } from '../../testing/test-subsonic.ts';
import { createSubscriber, createUser, type TestUser } from '../../testing/test-user.ts';

const CDN = 'https://cdn.music.example';

let test: TestApp;
let track: TracksTable;
let sipho: TestUser;

async function start(options: TestAppOptions = {}) {
  const { env, ...more } = options;
  test = await createTestApp({ ...more, env: { CDN_URL: CDN, ...env } });
  const { database, storage, clock } = test.deps;
  track = await seedTrack({ db: database.db, storage, now: clock.now() });
  sipho = await createSubscriber(test);
}
beforeEach(() => start());
afterEach(() => test.close());

async function restart(options: TestAppOptions) {
  await test.close();
  await start(options);
}

const ask = ({ client }: TestUser, rendition = 'stream', headers: Record<string, string> = {}) =>
  client.request({ url: `/media/tracks/${track.id}/${rendition}`, headers });

/** The path of the address that a listener gets. */
async function readPath(user: TestUser = sipho, rendition = 'stream'): Promise<string> {
  const { statusCode, headers } = await ask(user, rendition);
  expect(statusCode).toBe(302);
  const address = new URL(String(headers.location));
  expect(address.origin).toBe(CDN);
  return address.pathname + address.search;
}

/** As a CDN: without a session. */
const fetchAs = (path: string, headers: Record<string, string> = {}, method?: 'GET' | 'HEAD') =>
  test.app.inject({ url: path, headers, ...(method && { method }) });

const setMix = (change: Partial<TracksTable>) =>
  test.deps.database.db.updateTable('tracks').set(change).where('id', '=', track.id).execute();

const startDownload = async (user: TestUser, format: 'mp3' | 'flac') => {
  const url = `/api/tracks/${track.id}/download`;
  const answer = await user.client.request({ method: 'POST', url, payload: { format } });
  return answer.json<{ url: string }>().url;
};

describe('an address for the CDN', () => {
  it('is the same for everyone within the hour, and nobody may keep where it was given', async () => {
    const lindiwe = await createSubscriber(test, 'lindiwe');
    const first = await ask(sipho);
    expect(first.headers['cache-control']).toBe('private, no-store');
    expect(first.rawPayload).toHaveLength(0);
    test.clock.advance(HOUR - 1);
    expect((await ask(lindiwe)).headers.location).toBe(first.headers.location);
    expect((await ask(lindiwe, 'dataSaver')).headers.location).not.toBe(first.headers.location);
    test.clock.advance(1);
    expect((await ask(lindiwe)).headers.location).not.toBe(first.headers.location);
  });

  it('gives the file to whoever has it, with what caches and players need', async () => {
    const path = await readPath();
    const whole = await fetchAs(path, { origin: 'https://player.example' });
    expect([whole.statusCode, whole.rawPayload.equals(fileBytes('stream'))]).toEqual([200, true]);
    expect(whole.headers).toMatchObject({
      'cache-control': 'public, s-maxage=7200, immutable',
      expires: 'Sun, 15 Nov 2026 14:00:00 GMT',
      'content-type': 'audio/mpeg',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    for (const name of ['set-cookie', 'vary', 'content-disposition'])
      expect(whole.headers).not.toHaveProperty(name);
    const range = await fetchAs(path, { range: 'bytes=1000-1999' });
    expect([range.statusCode, range.headers['content-range']]).toEqual([
      206,
      'bytes 1000-1999/4096',
    ]);
    expect(range.rawPayload.equals(fileBytes('stream').subarray(1000, 2000))).toBe(true);
    const head = await fetchAs(path, {}, 'HEAD');
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([
      200,
      '4096',
      0,
    ]);
    const etag = String(whole.headers.etag);
    expect((await fetchAs(path, { 'if-none-match': etag })).statusCode).toBe(304);
    const stale = await fetchAs(path, { range: 'bytes=0-9', 'if-range': '"another"' });
    expect(stale.statusCode).toBe(200);
  });

  it('ends, also for whoever has it, with a sentence that nobody keeps', async () => {
    const path = await readPath();
    test.clock.advance(2 * HOUR - 1000);
    expect((await fetchAs(path)).headers['cache-control']).toContain('s-maxage=1,');
    test.clock.advance(1000);
    for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }]) {
      const refused = await fetchAs(path, headers);
      expect([refused.statusCode, refused.headers['cache-control']]).toEqual([403, 'no-store']);
      expect(refused.headers).not.toHaveProperty('expires');
      expect(refused.headers['access-control-allow-origin']).toBe('*');
      expect(refused.json<ErrorBody>().message).toMatch(/has ended\. Start .+ again\.$/);
    }
    expect((await fetchAs(await readPath())).statusCode).toBe(200);
  });

  it('gives nothing when any letter of it is another one, or any is added', async () => {
    const path = await readPath();
    const altered = [...path].map((letter, at) => {
      const other = letter === 'a' ? 'b' : 'a';
      return path.slice(0, at) + other + path.slice(at + 1);
    });
    const other = [
      path.replace('/stream/', '/flac/'),
      path.replace('/play.', '/save.'),
      path.replace('/media/cdn/', '/media/cdn//'),
      path.replace('/stream/', '/%73tream/'),
      path.slice(0, -1),
      `${path}x`,
      `${path}/`,
      `${path}?again=1`,
      `${path};x`,
      path.replace(/\/[\w-]{43}\//, '/'),
      '/media/cdn/',
      '/media/cdn/x',
    ];
    for (const url of [...altered, ...other]) {
      const { statusCode, rawPayload } = await fetchAs(url);
      expect([url, statusCode]).toEqual([url, expect.toBeOneOf([403, 404])]);
      expect(rawPayload.includes('STREAM:')).toBe(false);
    }
  });

  it('of another site, or of a file that was replaced, is none', async () => {
    const path = await readPath();
    await test.deps.database.db
      .updateTable('renditions')
      .set({ key: `tracks/${track.id}-other-stream.bin` })
      .where('name', '=', 'stream')
      .execute();
    expect((await fetchAs(path)).statusCode).toBe(404);
    await restart({});
    expect((await fetchAs(path)).statusCode).toBe(403);
  });

  it.each<[string, Partial<TracksTable>]>([
    ['is taken down', { publish_at: null, taken_down_at: 1, restore_publish_at: 1 }],
    ['is no longer published', { publish_at: null }],
    ['is deleted', { publish_at: null, deleted_at: 1, restore_publish_at: 1 }],
    ['has a later release', { publish_at: Number.MAX_SAFE_INTEGER }],
  ])('gives nothing once the mix %s', async (_what, change) => {
    const path = await readPath();
    await setMix(change);
    expect((await fetchAs(path)).statusCode).toBe(404);
    expect((await fetchAs(path, { range: 'bytes=0-9' })).statusCode).toBe(404);
  });

  it('of a preview gives the preview alone, to everyone', async () => {
    const thandi = await createUser(test);
    const path = await readPath(thandi, 'preview');
    expect((await fetchAs(path)).rawPayload.equals(fileBytes('preview'))).toBe(true);
    for (const rendition of ['stream', 'dataSaver', 'mp3', 'flac'])
      expect((await fetchAs(path.replace('/preview/', `/${rendition}/`))).statusCode).toBe(403);
    const refused = await ask(thandi);
    expect([refused.statusCode, refused.headers.location]).toEqual([403, undefined]);
  });

  it('of a preview works until its end, also once the mix is for subscribers only', async () => {
    const path = await readPath(await createUser(test), 'preview');
    await setMix({ is_subscriber_only: 1 });
    const visitor = await test.app.inject(`/media/tracks/${track.id}/preview`);
    expect([visitor.statusCode, visitor.headers.location]).toEqual([403, undefined]);
    expect((await fetchAs(path)).rawPayload.equals(fileBytes('preview'))).toBe(true);
    test.clock.advance(2 * HOUR);
    expect((await fetchAs(path)).statusCode).toBe(403);
  });

  it('isn’t written to the log', async () => {
    const path = await readPath();
    await fetchAs(path);
    await fetchAs(`${path}?x=1`);
    const [, signature = ''] = /\/([\w-]{43})\//.exec(path) ?? [];
    expect(signature).toHaveLength(43);
    expect(test.logText()).not.toContain(signature);
  });

  it('is nothing on a site that has turned the CDN off', async () => {
    await restart({ env: { CDN_URL: '' } });
    expect((await ask(sipho)).statusCode).toBe(200);
    expect((await fetchAs('/media/cdn/a/stream/b.bin/1763200000/x/play.bin')).statusCode).toBe(403);
  });
});

describe('a download by the CDN', () => {
  const readDownloadPath = async (url: string) => {
    const { headers } = await test.app.inject(url);
    return String(headers.location).replace(CDN, '');
  };

  it('has its name, also where it is cached', async () => {
    const path = await readDownloadPath(await startDownload(sipho, 'flac'));
    const file = await fetchAs(path);
    expect(file.rawPayload.equals(fileBytes('flac'))).toBe(true);
    expect(file.headers['content-disposition']).toContain(
      'filename="Weekender - Week 46 2026 - Golden Hour Pressure.flac"',
    );
    expect((await fetchAs(path.replace('/save.', '/play.'))).statusCode).toBe(403);
  });

  it('ends when downloads do, at the latest', async () => {
    const { db } = test.deps.database;
    const url = await startDownload(sipho, 'mp3');
    const downloadsEnd = test.clock.now() + 600_000;
    await changeSettings(db, { downloadsEnd }, test.clock.now());
    const path = await readDownloadPath(url);
    expect(path).toContain(`/${downloadsEnd / 1000}/`);
    expect((await fetchAs(path)).headers['cache-control']).toContain('s-maxage=600,');
    await changeSettings(db, { downloadsEnd: test.clock.now() }, test.clock.now());
    expect((await fetchAs(path)).json<ErrorBody>().code).toBe('files_off');
  });
});

describe('the CDN doesn’t get', () => {
  it('a mix that only staff may hear', async () => {
    await setMix({ publish_at: null });
    const answer = await ask(await createAdmin(test));
    expect([answer.statusCode, answer.rawPayload.equals(fileBytes('stream'))]).toEqual([200, true]);
    expect(answer.headers['cache-control']).toBe('private, no-cache');
  });

  it('what a music app streams, because its device counts while it loads', async () => {
    const app = await createMusicApp(test, sipho);
    const stream = await app.request('stream', { id: track.id });
    expect(stream.statusCode).toBe(200);
    const download = await app.request('download', { id: track.id });
    expect(String(download.headers.location)).toContain(`${CDN}/media/cdn/${track.id}/mp3/`);
  });

  it('what a speaker plays, because it may only while the device that cast it plays', async () => {
    const url = `/api/tracks/${track.id}/cast`;
    const payload = { rendition: 'stream' };
    const cast = await sipho.client.request({ method: 'POST', url, payload });
    expect((await test.app.inject(cast.json<{ url: string }>().url)).statusCode).toBe(200);
  });

  it('a HEAD, which we answer ourselves', async () => {
    const url = `/media/tracks/${track.id}/stream`;
    const head = await sipho.client.request({ method: 'HEAD', url });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, '4096']);
  });
});

it('pages and embeds may load audio from the CDN, and nothing else', async () => {
  const page = await test.app.inject({ url: '/', headers: { accept: 'text/html' } });
  const policy = String(page.headers['content-security-policy']);
  for (const name of ['media-src', 'connect-src'])
    expect(policy).toMatch(new RegExp(`${name} [^;]*${CDN}(?: |;)`));
  expect(policy.split(CDN)).toHaveLength(3);
  const embed = await test.app.inject(`/embed/track/${track.id}`);
  expect(embed.headers['content-security-policy']).toMatch(new RegExp(`media-src [^;]*${CDN}`));
});

describe('the origin sends the bytes itself', () => {
  it('behind nginx, which would drop headers', async () => {
    await restart({ env: { ACCEL_PREFIX: '/protected' } });
    const file = await fetchAs(await readPath());
    expect(file.headers).not.toHaveProperty('x-accel-redirect');
    expect(file.rawPayload.equals(fileBytes('stream'))).toBe(true);
  });

  it('from an S3 store', async () => {
    const server = await startS3Server();
    try {
      await restart({ config: { s3: server.settings } });
      const path = await readPath();
      expect((await fetchAs(path)).rawPayload.equals(fileBytes('stream'))).toBe(true);
      const range = await fetchAs(path, { range: 'bytes=7-9' });
      expect([range.statusCode, range.body]).toEqual([
        206,
        fileBytes('stream').toString('utf8', 7, 10),
      ]);
    } finally {
      await server.close();
    }
  });
});
