/** @module-tag both-databases */
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Artist } from '#contract/artists/artists.ts';
import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { SearchPage, Suggestions } from '#contract/search.ts';
import { ListTeaser } from '#contract/shared-links.ts';
import type { Track } from '#contract/tracks.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createCatalogue, type TestCatalogue } from '../../testing/test-catalogue.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { listVisibleArtists } from './service.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

const ORIGIN = 'https://mixes.example.com';

let test: TestApp;
let admin: TestClient;
let catalogue: TestCatalogue;

beforeEach(async () => {
  test = await createTestApp({ hasPage: true, config: { appOrigin: ORIGIN } });
  admin = (await createAdmin(test)).client;
  catalogue = createCatalogue(test, admin);
});
afterEach(() => test.close());

/** As the editor does it. */
async function name(id: string, ...names: string[]): Promise<CatalogueDetail> {
  const { version } = (
    await admin.request({ url: `/api/admin/tracks/${id}` })
  ).json<CatalogueDetail>();
  const artists = names.map((each) => ({ name: each }));
  const answer = await catalogue.edit(id, { version, artists });
  expect(answer.statusCode).toBe(200);
  return answer.json<CatalogueDetail>();
}

const ask = async <T>(url: string, client = test.createClient()): Promise<T> =>
  (await client.request({ url })).json<T>();
const open = (url: string) => test.app.inject({ url, headers: { accept: 'text/html' } });
const search = (q: string, client?: TestClient) =>
  ask<SearchPage>(`/api/tracks/search?q=${encodeURIComponent(q)}`, client);
const namesOf = ({ artists = [] }: { artists?: readonly { name: string }[] | undefined }) =>
  artists.map((each) => each.name);

describeOnSqlite('a site with one DJ', () => {
  it('never sees any of it', async () => {
    const { id } = await catalogue.seed();
    const urls = [
      '/api/tracks',
      `/api/tracks/${id}`,
      '/api/tracks/search?q=golden',
      '/api/tracks/suggest?q=golden',
      '/api/top-20',
      '/api/tracks/facets',
    ];
    for (const url of urls) {
      const { body, statusCode } = await test.app.inject({ url });
      expect({ url, statusCode }).toEqual({ url, statusCode: 200 });
      expect(body).not.toMatch(/"(?:artists|series)"/);
    }
    const page = await open(`/track/${id}`);
    expect(page.body).not.toContain('byArtist');
    expect(page.body).toContain('content="Golden Hour Pressure · Week 46, 2026 · Amapiano"');
    expect((await test.app.inject({ url: '/sitemap.xml' })).body).not.toContain('/artist/');
    expect(await listVisibleArtists(test.deps, null)).toEqual([]);
  });
});

describe('the artists of a mix', () => {
  itOnSqlite('are named in order, and the same name is the same artist', async () => {
    const [first, second] = [await catalogue.seed(), await catalogue.seed({ week: 45 })];
    const saved = await name(first.id, 'Zola', 'DJ Ama');
    expect(namesOf(saved)).toEqual(['Zola', 'DJ Ama']);
    const again = await name(second.id, 'dj  AMA');
    expect(again.artists[0]).toEqual(saved.artists[1]);
    expect(namesOf(await ask<Track>(`/api/tracks/${first.id}`))).toEqual(['Zola', 'DJ Ama']);
    const ama = saved.artists[1]?.id ?? '';
    const { items } = await ask<{ items: Track[] }>(`/api/tracks?artist=${ama}`);
    expect(items.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(namesOf(await name(first.id, 'DJ Ama', 'Zola'))).toEqual(['DJ Ama', 'Zola']);
    expect(namesOf(await name(first.id))).toEqual([]);
    expect(await catalogue.titles('?q=dj%20ama')).toHaveLength(1);
  });

  itOnSqlite('are recorded, and an outdated edit names nobody', async () => {
    const { id, version } = await catalogue.seed();
    await name(id, 'Zola');
    const late = await catalogue.edit(id, { version, artists: [{ name: 'Late' }] });
    expect(late.json()).toMatchObject({ code: 'track_changed' });
    const { items } = await ask<{ items: { changes: object[] }[] }>(
      `/api/admin/audit?subject=${id}`,
      admin,
    );
    expect(items[0]?.changes).toEqual([{ field: 'artists', before: null, after: 'Zola' }]);
    expect((await ask<{ items: object[] }>('/api/admin/artists?q=late', admin)).items).toEqual([]);
  });

  it('keep their id when someone renamed them meanwhile', async () => {
    const { id } = await catalogue.seed();
    const {
      version,
      artists: [zola],
    } = await name(id, 'Zola');
    await edit(zola?.id ?? '', { version: 0, name: 'Zola B' });
    const answer = await catalogue.edit(id, {
      version,
      artists: [{ id: zola?.id, name: 'Zola' }, { name: 'DJ Ama' }],
    });
    expect(namesOf(answer.json())).toEqual(['Zola B', 'DJ Ama']);
  });

  itOnSqlite(
    'are refused with markup in a control character, and shown as text otherwise',
    async () => {
      const { id, version } = await catalogue.seed();
      const bad = await catalogue.edit(id, { version, artists: [{ name: 'a\u0000b' }] });
      expect(bad.statusCode).toBe(400);
      const markup = '</script><img src=x onerror=alert(1)>"&';
      const { artists } = await name(id, markup);
      expect(artists[0]?.name).toBe(markup);
      for (const url of [`/track/${id}`, `/artist/${artists[0]?.id ?? ''}`]) {
        const { body, statusCode } = await open(url);
        expect(statusCode).toBe(200);
        expect(body).not.toContain('<img src=x');
        expect(body).toContain('&lt;img src=x');
      }
    },
  );
});

describe('a series', () => {
  it('is a name that mixes share: it filters the library and is found', async () => {
    const [first, second] = [await catalogue.seed(), await catalogue.seed({ week: 45 })];
    expect(await ask('/api/tracks/facets')).not.toHaveProperty('series');
    for (const { id, version } of [first, second])
      await catalogue.edit(id, { version, series: ' Rooftops ' });
    await catalogue.seed({ week: 44 });
    expect(await ask('/api/tracks/facets')).toMatchObject({ series: ['Rooftops'] });
    const { items } = await ask<{ items: Track[] }>('/api/tracks?series=Rooftops');
    expect(items.map(({ id, series }) => [id, series])).toEqual([
      [first.id, 'Rooftops'],
      [second.id, 'Rooftops'],
    ]);
    expect((await search('rooftops')).items).toHaveLength(2);
    const { version } = await ask<CatalogueDetail>(`/api/admin/tracks/${first.id}`, admin);
    await catalogue.edit(first.id, { version, series: null });
    expect((await search('rooftops')).items.map(({ id }) => id)).toEqual([second.id]);
    expect(await ask(`/api/tracks/${first.id}`)).not.toHaveProperty('series');
  });
});

const edit = (id: string, payload: object) =>
  admin.request({ method: 'PATCH', url: `/api/admin/artists/${id}`, payload });

describe('the page of an artist', () => {
  it('tells search engines and links what visitors may know', async () => {
    const { id } = await catalogue.seed();
    const {
      artists: [zola],
    } = await name(id, 'Zola');
    const about = 'Plays late.';
    const links = ['https://example.com/zola'];
    await edit(zola?.id ?? '', { version: 0, about, links });
    const { body } = await open(`/artist/${zola?.id ?? ''}`);
    expect(body).toContain('<title>Zola · Weekender</title>');
    expect(body).toContain(`<link rel="canonical" href="${ORIGIN}/artist/${zola?.id ?? ''}" />`);
    const [, data = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(body) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'MusicGroup',
      name: 'Zola',
      description: about,
      sameAs: links,
      track: [{ name: 'Golden Hour Pressure', url: `${ORIGIN}/track/${id}` }],
    });
    const track = await open(`/track/${id}`);
    expect(track.body).toContain(`"byArtist":[{"@type":"MusicGroup","name":"Zola"`);
    expect((await test.app.inject({ url: '/sitemap.xml' })).body).toContain(
      `<loc>${ORIGIN}/artist/${zola?.id ?? ''}</loc>`,
    );
    expect(await listVisibleArtists(test.deps, null)).toEqual([
      { id: zola?.id, name: 'Zola', pictureUrl: null, tracks: 1 },
    ]);
    const teaser = await test.app.inject({ url: `/api/artists/${zola?.id ?? ''}/teaser` });
    expect(ListTeaser.strict().parse(teaser.json())).toMatchObject({
      name: 'Zola',
      trackCount: 1,
      sleeves: [{ id }],
      first: { id, access: 'preview' },
    });
  });

  itOnSqlite(
    'has a picture for links, with the artist’s own in it, for those whom everyone may see',
    async () => {
      const { id } = await catalogue.seed();
      const draft = await catalogue.seed({ publish_at: null, week: 47 });
      const {
        artists: [zola],
      } = await name(id, 'Zola');
      const {
        artists: [late],
      } = await name(draft.id, 'Late');
      const find = async () => {
        const { body } = await open(`/artist/${zola?.id ?? ''}`);
        const [, url = ''] = /property="og:image" content="([^"]+)"/.exec(body) ?? [];
        return url.replace(ORIGIN, '');
      };
      const draw = async () => {
        const picture = await test.app.inject({ url: await find() });
        expect(picture.headers['content-type']).toBe('image/png');
        expect(await sharp(picture.rawPayload).metadata()).toMatchObject({
          width: 1200,
          height: 630,
        });
        const corner = { left: 0, top: 0, width: 1, height: 1 };
        return [
          ...(await sharp(picture.rawPayload).removeAlpha().extract(corner).raw().toBuffer()),
        ];
      };
      const before = await find();
      expect(before).toContain(`/media/cards/artists/${zola?.id ?? ''}.png?v=`);
      const [, , blue = 0] = await draw();
      expect(blue).toBeLessThan(240);
      const payload = await sharp({
        create: { width: 40, height: 40, channels: 3, background: '#0000ff' },
      })
        .png()
        .toBuffer();
      const url = `/api/admin/artists/${zola?.id ?? ''}/picture`;
      await admin.request({
        method: 'PUT',
        url,
        payload,
        headers: { 'content-type': 'image/png' },
      });
      expect(await find()).not.toBe(before);
      expect((await draw())[2]).toBeGreaterThan(240);
      for (const file of [late?.id, 'unknown', '%00', '..%2fsite'].map((each) => `${each}.png`))
        expect((await test.app.inject({ url: `/media/cards/artists/${file}` })).statusCode).toBe(
          404,
        );
      const story = `/media/cards/artists/${zola?.id ?? ''}.story.png`;
      expect((await test.app.inject({ url: story })).statusCode).toBe(404);
    },
  );

  it('appears with the first mix that a viewer may see', async () => {
    const subscriber = (await createSubscriber(test)).client;
    const { id } = await catalogue.seed({ publish_at: test.clock.now() + 60 * HOUR });
    const {
      artists: [zola],
    } = await name(id, 'Zola');
    const status = async (client = test.createClient()) =>
      (await client.request({ url: `/api/artists/${zola?.id ?? ''}` })).statusCode;
    const isKnown = async (client = test.createClient()) =>
      namesOf(await search('zola', client)).length > 0;
    expect([await status(), await status(subscriber), await status(admin)]).toEqual([
      404, 404, 200,
    ]);
    expect([await isKnown(), await isKnown(subscriber)]).toEqual([false, false]);
    expect((await open(`/artist/${zola?.id ?? ''}`)).statusCode).toBe(404);
    test.clock.advance(13 * HOUR);
    expect([await status(), await status(subscriber)]).toEqual([404, 200]);
    expect([await isKnown(), await isKnown(subscriber)]).toEqual([false, true]);
    expect((await test.app.inject({ url: '/sitemap.xml' })).body).not.toContain('/artist/');
    test.clock.advance(48 * HOUR);
    expect([await status(), await isKnown()]).toEqual([200, true]);
    expect((await test.app.inject({ url: '/sitemap.xml' })).body).toContain('/artist/');
    await catalogue.bulk({ action: 'unpublish', ids: [id] });
    expect([await status(), await isKnown()]).toEqual([404, false]);
  });
});

describeOnSqlite('search', () => {
  it('finds the mixes of an artist, and offers their page', async () => {
    const { id } = await catalogue.seed();
    await catalogue.seed({ title: 'Zulu Nights', week: 45 });
    await name(id, 'Zola 7', 'Ama-Lee');
    for (const q of ['zola', 'Zola 7', 'zol', 'amalee', 'ama lee', 'zola 7 golden', 'zolla']) {
      const { items } = await search(q);
      expect({ q, id: items[0]?.id }).toEqual({ q, id });
    }
    expect(namesOf(await search('zola'))).toEqual(['Zola 7']);
    expect(namesOf(await search('amalee'))).toEqual(['Ama-Lee']);
    expect(namesOf(await search('golden'))).toEqual([]);
    const suggestions = await ask<Suggestions>('/api/tracks/suggest?q=zo');
    expect(namesOf(suggestions)).toEqual(['Zola 7']);
  });

  it('forgets the old name with the rename that changed it', async () => {
    const { id } = await catalogue.seed();
    const {
      artists: [zola],
    } = await name(id, 'Zola');
    const url = `/api/artists/${zola?.id ?? ''}`;
    const answers = async () => ({
      page: (await ask<Artist>(url)).name,
      track: namesOf(await ask<Track>(`/api/tracks/${id}`)),
      list: namesOf((await ask<{ items: Track[] }>('/api/tracks')).items[0] ?? {}),
      head: /<title>[^<]*/.exec((await open(`/artist/${zola?.id ?? ''}`)).body)?.[0],
      old: (await search('zola')).items.length,
      new: (await search('thandi')).items.length,
      offered: namesOf(await search('thandi')),
    });
    expect(await answers()).toMatchObject({ page: 'Zola', old: 1, new: 0, offered: [] });
    expect((await edit(zola?.id ?? '', { version: 0, name: 'Thandi' })).statusCode).toBe(200);
    expect(await answers()).toEqual({
      page: 'Thandi',
      track: ['Thandi'],
      list: ['Thandi'],
      head: '<title>Thandi · Weekender',
      old: 0,
      new: 1,
      offered: ['Thandi'],
    });
  });
});
