import { parseRssFeed } from 'feedsmith';
import { parseBuffer } from 'music-metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { createFeed } from './testing/create-feed.ts';
import { ingestTone } from './testing/ingest-tone.ts';
import { createTestApp, type TestApp } from './testing/test-app.ts';
import { createMusicApp, type Query, type TestMusicApp } from './testing/test-subsonic.ts';
import { createSubscriber, createUser, payUntil, type TestUser } from './testing/test-user.ts';

const SECONDS = 25;

let test: TestApp;
let id: string;
let sipho: TestUser;
let feed: string;
beforeAll(async () => {
  test = await createTestApp();
  id = await ingestTone(test, { duration_ms: SECONDS * 1000 });
  sipho = await createSubscriber(test);
  feed = await createFeed(sipho.client);
});
afterAll(() => test.close());

const toPath = (url = '') => url.replace(test.deps.site.origin, '');

const CONTAINERS = [
  { codec: 'Layer 3', container: /^MPEG$/, type: 'audio/mpeg', extension: 'mp3' },
  { codec: 'OPUS', container: /webm/, type: 'audio/webm', extension: 'webm' },
  { codec: 'AAC', container: /^M4A/, type: 'audio/mp4', extension: 'm4a' },
];

/** The data saver is Opus where ffmpeg has it. */
const findSaver = async () => {
  const { media_type } = await test.deps.database.db
    .selectFrom('renditions')
    .select('media_type')
    .where('name', '=', 'dataSaver')
    .executeTakeFirstOrThrow();
  return media_type.startsWith('audio/webm')
    ? { type: 'audio/webm', extension: 'webm', formats: ['opus', 'webm'] }
    : { type: 'audio/mp4', extension: 'm4a', formats: ['aac'] };
};

type Answer = { rawPayload: Buffer; headers: Record<string, unknown> };

/** What these bytes are, whatever their headers and their address say. */
async function probe({ rawPayload }: Answer) {
  const { format } = await parseBuffer(rawPayload);
  const known = CONTAINERS.find(({ codec }) => format.codec?.includes(codec));
  expect(format.container).toMatch(known?.container ?? 'one that we know');
  return {
    type: known?.type,
    extension: known?.extension,
    length: rawPayload.length,
    seconds: Math.round(format.duration ?? 0),
  };
}

const typeOf = ({ headers }: Answer) => String(headers['content-type']).split(';')[0];

describe('a feed announces the type, length, extension and duration of what it sends', () => {
  async function check(address: string) {
    const { body } = await test.app.inject(toPath(address));
    const items = parseRssFeed(body).items ?? [];
    const checked: string[] = [];
    for (const { enclosures = [], podcast, itunes } of items) {
      const others = (podcast?.alternateEnclosures ?? []).map((file) => ({
        ...file,
        url: file.sources?.[0]?.uri,
      }));
      for (const { url = '', type, length, ...more } of [...enclosures, ...others]) {
        const answer = await test.app.inject(toPath(url));
        const found = await probe(answer);
        const { extension, seconds } = found;
        expect({
          type,
          length,
          extension: url.split('.').at(-1),
          seconds: itunes?.duration,
        }).toEqual({ type: found.type, length: found.length, extension, seconds });
        expect(typeOf(answer)).toBe(type);
        if ('bitrate' in more && more.bitrate !== undefined)
          expect(more.bitrate).toBe(Math.round((found.length * 8) / SECONDS));
        checked.push(url.split('/').at(-1) ?? '');
      }
    }
    return checked;
  }
  const NAME = '2026-week-46-golden-hour-pressure';

  it('to a subscriber', async () => {
    expect(await check(feed)).toEqual([
      `${NAME}.mp3`,
      `${NAME}.mp3`,
      `${NAME}-data-saver.${(await findSaver()).extension}`,
      `${NAME}-high-quality.mp3`,
    ]);
  });

  it('to everyone', async () => {
    expect(await check('/feed.xml')).toEqual([`${NAME}-preview.mp3`]);
  });

  it('after a subscription', async () => {
    const lapsed = await createSubscriber(test, 'lindiwe');
    const own = await createFeed(lapsed.client);
    await payUntil(test, lapsed.user, null);
    expect(await check(own)).toEqual(['your-subscription-has-ended.mp3', `${NAME}-preview.mp3`]);
  });

  // EpisodeDownloader.kt of Automattic/pocket-casts-android: below 150 KiB it isn’t kept
  it('in files that Pocket Casts doesn’t take for the page of an error, previews too', async () => {
    for (const address of [feed, '/feed.xml']) {
      const { body } = await test.app.inject(address);
      const [file] = parseRssFeed(body).items?.[0]?.enclosures ?? [];
      expect(file?.length).toBeGreaterThanOrEqual(150 * 1024);
    }
  });
});

describe('a song of a music app announces what a stream sends', () => {
  type Song = {
    contentType: string;
    suffix: string;
    size: number;
    duration: number;
    bitRate: number;
    path: string;
  };
  const stream = (app: TestMusicApp, query: Query = {}) => app.request('stream', { id, ...query });
  const read = async (app: TestMusicApp) =>
    (await app.call<{ song: Song }>('getSong', { id })).song;

  async function check(app: TestMusicApp, query: Query) {
    const song = await read(app);
    const answer = await stream(app, query);
    const { extension, ...found } = await probe(answer);
    expect({ type: song.contentType, length: song.size, seconds: song.duration }).toEqual(found);
    expect([song.suffix, song.path.split('.').at(-1)]).toEqual([extension, extension]);
    expect(typeOf(answer)).toBe(song.contentType);
    expect(song.bitRate).toBe(Math.round((song.size * 8) / found.seconds / 1000));
    return found.seconds;
  }

  it.each<Query>([
    {},
    { maxBitRate: 0 },
    { maxBitRate: 96 },
    { maxBitRate: 96, format: 'mp3' },
    { maxBitRate: 96, format: 'raw' },
    { format: 'flv' },
  ])('with %o', async (query) => {
    expect(await check(await createMusicApp(test, sipho), query)).toBe(SECONDS);
  });

  it('and of the preview for a member without Premium', async () => {
    const app = await createMusicApp(test, await createUser(test));
    for (const query of [{}, { maxBitRate: 96 }, { format: 'opus' }, { format: 'raw' }])
      expect(await check(app, query)).toBe(PREVIEW_SECONDS);
  });

  it('unless the app asks for the format of the data saver, which is then named as such', async () => {
    const app = await createMusicApp(test, sipho, 'Car');
    const saver = await findSaver();
    for (const format of saver.formats) {
      const answer = await stream(app, { format, maxBitRate: 64 });
      const { type, length } = await probe(answer);
      expect([type, typeOf(answer)]).toEqual([saver.type, saver.type]);
      expect(length).toBeLessThan((await read(app)).size / 2);
    }
  });
});
