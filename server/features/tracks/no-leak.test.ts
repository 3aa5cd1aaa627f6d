import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GRACE_MS, EARLY_ACCESS_MS } from '#contract/rules/access.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { hashToken } from '../../http/route/tokens.ts';
import { sendRaw, type RawResponse } from '../../testing/raw-request.ts';
import { seedArtist } from '../../testing/seed-artist.ts';
import { startS3Server, type TestS3 } from '../../testing/s3-server.ts';
import { fileBytes, seedTrack } from '../../testing/seed-track.ts';
import { cookieOf, createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, createSubscriber, MONTH, payUntil } from '../../testing/test-user.ts';
import { DAY } from '#contract/rules/time.ts';

type Tracks = Record<'open' | 'members' | 'early' | 'draft' | 'processing', TracksTable>;
type Headers = Record<string, string | string[]>;

let test: TestApp;
let tracks: Tracks;
let port: number;

async function start(options: Parameters<typeof createTestApp>[0] = {}) {
  test = await createTestApp(options);
  const { database, storage, clock } = test.deps;
  const now = clock.now();
  const seed = (change: Partial<TracksTable>) =>
    seedTrack({ db: database.db, storage, now }, change);
  await storage.put('covers/cover1.webp', Buffer.from('picture'));
  tracks = {
    open: await seed({ cover_key: 'covers/cover1.webp' }),
    members: await seed({ is_subscriber_only: 1 }),
    early: await seed({ publish_at: now + EARLY_ACCESS_MS / 2 }),
    draft: await seed({ publish_at: null }),
    processing: await seed({ status: 'processing' }),
  };
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = test.app.server.address() as AddressInfo);
}

const listPaths = (): string[] => [
  '/api/tracks?limit=100',
  ...Object.values(tracks).flatMap(({ id }) => [`/api/tracks/${id}`, `/api/tracks/${id}/peaks`]),
];

/** Every URL in these responses; by default all of the API about tracks. */
async function collectUrls(cookie: string, paths = listPaths()): Promise<string[]> {
  const urls = new Set<string>();
  for (const path of paths) {
    const { body } = await sendRaw({ port, path, headers: { cookie } });
    for (const [url] of body.toString().matchAll(/\/media\/[^"]+/g)) urls.add(url);
  }
  return [...urls];
}

const preview = fileBytes('preview');
const markers = ['STREAM', 'SAVER', 'MP3:', 'FLAC'];

/** What an answer gives away that it must not; null when it gives away nothing. */
function findLeak({ status, headers, body }: RawResponse): string | null {
  const marker = markers.find((text) => body.includes(text));
  if (marker) return `${marker} in the body`;
  const elsewhere = String(headers['x-accel-redirect'] ?? headers.location ?? '');
  if (/-(stream|datasaver|mp3|flac)\.bin/.test(elsewhere)) return `sent to ${elsewhere}`;
  if (!String(headers['content-type']).startsWith('audio/') || body.length === 0) return null;
  // Single bytes prove nothing: audio must equal the preview, byte for byte.
  const part = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(headers['content-range']));
  const [first, last] = part ? [Number(part[1]), Number(part[2])] : [0, preview.length - 1];
  return preview.subarray(first, last + 1).equals(body) ? null : `audio with status ${status}`;
}

const renditions = ['stream', 'dataSaver', 'mp3', 'flac', 'master'];

/** Other ways to spell the address of one file of one track. */
const spell = (id: string, rendition: string): string[] => [
  `/media/tracks/${id}/${rendition}`,
  `/media/tracks/${id}/${rendition}?v=00000000&access=full&kind=preview`,
  `/media/tracks/${id}/${rendition}/`,
  `/media/tracks/${id}/${rendition}%00`,
  `/media/tracks/${id}/${rendition}%2f..%2fpreview`,
  `/media/tracks/${id}/${rendition.toUpperCase()}`,
  `/media/tracks/${id}/%${rendition.charCodeAt(0).toString(16)}${rendition.slice(1)}`,
  `/media/tracks/${id}/preview/../${rendition}`,
  `/media/tracks/${id}/preview/%2e%2e/${rendition}`,
  `/media/tracks/${id}/preview%2f%2e%2e%2f${rendition}`,
  `/media/tracks/${id}/preview;${rendition}`,
  `/media/tracks/${id}/preview?kind=${rendition}`,
  `/media/tracks/${id}/preview/${rendition}`,
  `/media/tracks/${id}//${rendition}`,
  `//media/tracks/${id}/${rendition}`,
  `/media//tracks/${id}/${rendition}`,
  `/./media/./tracks/${id}/${rendition}`,
  `/api/../media/tracks/${id}/${rendition}`,
  `/MEDIA/tracks/${id}/${rendition}`,
  `/media/tracks/${id.toUpperCase()}/${rendition}`,
  `/media/tracks/${id}%20/${rendition}`,
  `/media/tracks/${id}/${rendition}#preview`,
  `http://127.0.0.1:${port}/media/tracks/${id}/${rendition}`,
];

/** Where the files might be reached by their keys, past the check. */
const guess = (id: string, rendition: string): string[] => {
  const key = `tracks/${id}-${rendition.toLowerCase()}.bin`;
  return [
    `/media/${key}`,
    `/media/covers/../${key}`,
    `/media/covers/%2e%2e/${key}`,
    `/media/covers/..%2f${encodeURIComponent(key)}`,
    `/media/covers/${id}-${rendition.toLowerCase()}.bin`,
    `/media/covers/${id}-${rendition.toLowerCase()}.webp`,
    `/media/avatars/..%2f${encodeURIComponent(key)}`,
    `/media/avatars/%2e%2e%2f${encodeURIComponent(key)}`,
    `/files/${key}`,
    `/data/files/${key}`,
    `/protected/${key}`,
    `/assets/../files/${key}`,
    `/assets/%2e%2e/%2e%2e/files/${key}`,
    `/assets/..%2f..%2ffiles%2f${encodeURIComponent(key)}`,
    `/${key}`,
  ];
};

const rangeTricks = [
  'bytes=0-',
  'bytes=0-0',
  'bytes=-1',
  'bytes=4095-',
  'bytes=4096-',
  'bytes=0-0,4000-4095',
  'bytes=0-18446744073709551615',
  'bytes=-18446744073709551615',
];

const headerTricks = (etag: string): Headers[] => [
  ...rangeTricks.map((range) => ({ range })),
  { range: 'bytes=0-99', 'if-range': etag },
  { 'if-none-match': '"other"' },
  { 'x-original-url': '/media/tracks/x/preview', 'x-rewrite-url': '/media/tracks/x/preview' },
  { 'x-accel-redirect': '/protected/x', 'x-sendfile': '/etc/passwd' },
  { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost', 'x-real-ip': '127.0.0.1' },
  { 'x-http-method-override': 'HEAD', referer: `http://127.0.0.1:${port}/` },
];

type Attempt = { path: string; method?: string; headers?: Headers };

/** Tries them all as one client, and returns what leaked. */
async function findLeaks(cookie: string, attempts: Attempt[]): Promise<string[]> {
  const leaks: string[] = [];
  for (const { path, method, headers = {} } of attempts) {
    const sent = { port, path, headers: { cookie, ...headers }, ...(method ? { method } : {}) };
    const leak = findLeak(await sendRaw(sent));
    if (leak) leaks.push(`${method ?? 'GET'} ${path} ${JSON.stringify(headers)}: ${leak}`);
  }
  return leaks;
}

async function listAttempts(cookie: string, subscriberUrls: string[]): Promise<Attempt[]> {
  const ids = Object.values(tracks).map(({ id }) => id);
  const etag = `"${tracks.open.id}-stream.bin"`;
  const known = [...(await collectUrls(cookie)), ...subscriberUrls];
  const plain = [
    ...known,
    ...ids.flatMap((id) => renditions.map((rendition) => `/media/tracks/${id}/${rendition}`)),
    ...renditions.flatMap((rendition) => spell(tracks.open.id, rendition)),
    ...renditions.flatMap((rendition) => guess(tracks.open.id, rendition)),
    ...['members', 'early', 'draft'].flatMap((name) =>
      spell(tracks[name as keyof Tracks].id, 'stream'),
    ),
  ];
  return [
    ...plain.map((path) => ({ path })),
    ...known.flatMap((path) => headerTricks(etag).map((headers) => ({ path, headers }))),
    ...known.map((path) => ({ path, method: 'HEAD' })),
  ];
}

const forge = (token: string): Record<string, string> => ({
  'the hash that the database holds': `session=${hashToken(token)}`,
  'a token with one more letter': `session=${token}x`,
  'a token without its last letter': `session=${token.slice(0, -1)}`,
  'another case': `session=${token.toLowerCase()}`,
  'another name': `Session=${token}; __Host-session=${token}; sid=${token}`,
  'the owner as a value': `session=sipho; user=sipho; isSubscriber=true`,
});

describe('with files on the local disk', () => {
  beforeEach(() => start());
  afterEach(() => test.close());

  it('gives visitors and free users nothing beyond the preview, at any address', async () => {
    const { client: subscriber } = await createSubscriber(test);
    const { client: member } = await createUser(test);
    const subscriberUrls = await collectUrls(cookieOf(subscriber));
    expect(subscriberUrls.filter((url) => url.includes('/stream'))).toHaveLength(3);
    for (const cookie of ['', cookieOf(member)]) {
      const own = await collectUrls(cookie);
      expect(own.map((url) => url.replace(/\?.*/, ''))).toEqual([
        '/media/covers/cover1.webp',
        `/media/tracks/${tracks.open.id}/preview`,
      ]);
      const attempts = await listAttempts(cookie, subscriberUrls);
      expect(await findLeaks(cookie, attempts)).toEqual([]);
    }
  });

  it('lets visitors hear a preview behind every shared link, and nothing more', async () => {
    const { client } = await createSubscriber(test);
    const ids = Object.values(tracks).map(({ id }) => id);
    const { db } = test.deps.database;
    const artist = await seedArtist({ db, now: test.clock.now() }, 'Zola', ids);
    const trackIds = [tracks.members.id, tracks.early.id, tracks.open.id];
    const payload = { name: 'Road', trackIds };
    const created = await client.request({ method: 'POST', url: '/api/playlists', payload });
    const url = `/api/playlists/${created.json<{ id: string }>().id}/share`;
    const { shareToken } = (await client.request({ method: 'PUT', url })).json<{
      shareToken: string;
    }>();
    const teasers = [
      `/api/artists/${artist.id}/teaser`,
      `/api/shared-playlists/${shareToken}/teaser`,
    ];
    // They say the same to everyone.
    for (const cookie of ['', cookieOf(client)])
      for (const path of teasers) {
        const found = await collectUrls(cookie, [path]);
        expect(new Set(found.map((each) => each.replace(/\?.*/, '')))).toEqual(
          new Set(['/media/covers/cover1.webp', `/media/tracks/${tracks.open.id}/preview`]),
        );
        const { body } = await sendRaw({ port, path, headers: { cookie } });
        for (const name of ['members', 'early', 'draft', 'processing'] as const)
          expect(body.toString()).not.toContain(tracks[name].id);
      }
    const known = await collectUrls('', teasers);
    const attempts = known.flatMap((path) =>
      headerTricks('"x"').map((headers) => ({ path, headers })),
    );
    expect(await findLeaks('', attempts)).toEqual([]);
  });

  it('would find a leak: with the same requests a subscriber gets every file, byte for byte', async () => {
    const { client } = await createSubscriber(test);
    const cookie = cookieOf(client);
    const urls = (await collectUrls(cookie)).filter((url) => url.includes('/tracks/'));
    const leaks = await findLeaks(
      cookie,
      urls.map((path) => ({ path, headers: { range: 'bytes=7-7' } })),
    );
    expect(urls).toHaveLength(6);
    expect(leaks).toHaveLength(6);
    for (const path of urls) {
      const rendition = path.includes('/dataSaver') ? 'dataSaver' : 'stream';
      const { body } = await sendRaw({ port, path, headers: { cookie } });
      expect(body.equals(fileBytes(rendition))).toBe(true);
      const part = await sendRaw({ port, path, headers: { cookie, range: 'bytes=1000-1999' } });
      expect(part.body.equals(fileBytes(rendition).subarray(1000, 2000))).toBe(true);
    }
  });

  it("makes a subscriber's addresses useless without the subscriber", async () => {
    const { client: subscriber, user } = await createSubscriber(test);
    const { client: member } = await createUser(test);
    const cookie = cookieOf(subscriber);
    const token = subscriber.cookies.get('session') ?? '';
    const urls = (await collectUrls(cookie)).filter((url) => url.includes('/tracks/'));
    const attempts: Attempt[] = urls.flatMap((path) => [
      { path },
      { path, headers: { range: 'bytes=0-99' } },
      { path: `${path}&session=${token}&token=${token}` },
      { path, headers: { authorization: `Bearer ${token}`, 'x-session': token } },
    ]);
    for (const other of ['', cookieOf(member), ...Object.values(forge(token))])
      expect(await findLeaks(other, attempts)).toEqual([]);

    await payUntil(test, user, test.clock.now() - GRACE_MS);
    expect(await findLeaks(cookie, attempts)).toEqual([]);
    await payUntil(test, user, test.clock.now() + 1);
    expect(await findLeaks(cookie, attempts)).not.toEqual([]);
    await subscriber.request({ method: 'POST', url: '/api/auth/logout' });
    expect(await findLeaks(cookie, attempts)).toEqual([]);
  });
});

describe('a download link', () => {
  beforeEach(() => start());
  afterEach(() => test.close());

  const order = async (client: TestClient, format: string) => {
    const response = await client.request({
      method: 'POST',
      url: `/api/tracks/${tracks.open.id}/download`,
      payload: { format },
    });
    return response.json<{ url?: string }>().url ?? '';
  };

  it('works for subscribers, but not when altered, expired or unpaid', async () => {
    const { client: subscriber, user } = await createSubscriber(test);
    const { client: member, user: free } = await createUser(test);
    for (const format of ['mp3', 'flac', 'stream', 'dataSaver', 'master']) {
      expect(await order(member, format)).toBe('');
      expect(await order(test.createClient(), format)).toBe('');
    }
    const url = await order(subscriber, 'mp3');
    const { id } = tracks.open;
    const [path = '', query = ''] = url.split('?');
    const expires = /expires=(\d+)/.exec(query)?.[1] ?? '';
    const altered = [
      path,
      `${path}?`,
      url.replace('/mp3', '/flac'),
      url.replace('/mp3', '/stream'),
      url.replace('/mp3', '/MP3'),
      url.replace('/mp3', '/mp3/../flac'),
      url.replace('/mp3', '/mp3%2f..%2fflac'),
      url.replace(user.id, free.id),
      url.replace(user.id, ''),
      `${url}&user=${free.id}`,
      `${url}&expires=9999999999999`,
      url.replace(expires, '9999999999999'),
      url.replace(expires, `${expires}.0`),
      url.replace(expires, `+${expires}`),
      url.slice(0, -1),
      `${url}x`,
      url.replace(/signature=.*/, 'signature='),
      ...[tracks.members, tracks.early, tracks.draft].map((other) => url.replace(id, other.id)),
      ...['mp3', 'flac'].map((format) => `/media/tracks/${id}/${format}?${query}`),
    ];
    const tryAll = altered.flatMap((target) => [
      { path: target },
      { path: target, headers: { range: 'bytes=4000-' } },
    ]);
    for (const cookie of ['', cookieOf(member)]) {
      expect(await findLeaks(cookie, tryAll)).toEqual([]);
      expect(await findLeaks(cookie, [{ path: url }])).toHaveLength(1);
    }
    const replayed = [{ path: url }, { path: url, headers: { range: 'bytes=0-99' } }];
    await payUntil(test, user, test.clock.now() - GRACE_MS);
    expect(await findLeaks('', replayed)).toEqual([]);
    expect(await findLeaks(cookieOf(subscriber), replayed)).toEqual([]);
    await payUntil(test, user, test.clock.now() + MONTH);
    expect(await findLeaks('', replayed)).toHaveLength(2);
    test.clock.advance(DAY);
    expect(await findLeaks('', replayed)).toEqual([]);
    expect(await findLeaks(cookieOf(subscriber), replayed)).toEqual([]);
  });
});

it.each([
  ['behind nginx', { ACCEL_PREFIX: '/protected' }],
  ['nor to its address at a CDN', { CDN_URL: 'https://cdn.music.example' }],
])('sends no one without access to a file, %s', async (_how, env) => {
  await start({ env });
  try {
    const { client: subscriber } = await createSubscriber(test);
    const { client: member } = await createUser(test);
    const urls = await collectUrls(cookieOf(subscriber));
    const attempts = await listAttempts('', urls);
    expect(await findLeaks('', attempts)).toEqual([]);
    expect(await findLeaks(cookieOf(member), attempts)).toEqual([]);
    const own = urls.filter((url) => url.includes('/tracks/')).map((path) => ({ path }));
    expect(await findLeaks(cookieOf(subscriber), own)).toHaveLength(6);
  } finally {
    await test.close();
  }
});

describe('with an S3 store', () => {
  let server: TestS3;
  beforeEach(async () => {
    server = await startS3Server();
    await start({ config: { s3: server.settings } });
  });
  afterEach(async () => {
    await test.close();
    await server.close();
  });

  it('sends no one without access to a file', async () => {
    const { client: subscriber } = await createSubscriber(test);
    const { client: member } = await createUser(test);
    const urls = await collectUrls(cookieOf(subscriber));
    const attempts = await listAttempts('', urls);
    expect(await findLeaks('', attempts)).toEqual([]);
    expect(await findLeaks(cookieOf(member), attempts)).toEqual([]);
    const own = urls.filter((url) => url.includes('/tracks/')).map((path) => ({ path }));
    expect(await findLeaks(cookieOf(subscriber), own)).toHaveLength(6);
  });
});
