import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from '@extractus/oembed-extractor';
import { parseDocument } from 'htmlparser2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TracksTable } from '../../db/types/tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';

const ORIGIN = 'https://mixes.example.com';

let folder: string;
let test: TestApp;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-oembed-'));
  await mkdir(join(folder, 'assets'));
  const template = await readFile(join(import.meta.dirname, '../../../web/index.html'), 'utf8');
  await writeFile(join(folder, 'index.html'), template);
  test = await createTestApp({ config: { webRoot: folder, appOrigin: ORIGIN } });
});
afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

const ask = (query: Record<string, string | string[]>, headers: Record<string, string> = {}) =>
  test.app.inject({ method: 'GET', url: '/oembed', query, headers });

const urlOf = ({ id }: TracksTable) => `${ORIGIN}/track/${id}`;

describe('oEmbed', () => {
  it('describes a mix by the specification', async () => {
    const track = await seed({ title: 'Log "drums" & <bass>' });
    const { statusCode, headers, body } = await ask({ url: `${urlOf(track)}?t=12#x` });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=600',
      'access-control-allow-origin': '*',
    });
    expect(JSON.parse(body)).toEqual({
      version: '1.0',
      type: 'rich',
      title: 'Log "drums" & <bass>',
      provider_name: 'Weekender',
      provider_url: `${ORIGIN}/`,
      cache_age: 600,
      thumbnail_url: expect.stringMatching(`^${ORIGIN}/media/cards/${track.id}.png\\?v=`),
      thumbnail_width: 1200,
      thumbnail_height: 630,
      html: `<iframe src="${ORIGIN}/embed/track/${track.id}" title="Log &#34;drums&#34; &#38; &#60;bass&#62;, preview" width="600" height="160" style="border:0;max-width:100%" loading="lazy"></iframe>`,
      width: 600,
      height: 160,
    });
    const again = await ask({ url: urlOf(track) }, { 'if-none-match': String(headers.etag) });
    expect(again.statusCode).toBe(304);
  });

  it('says the same in XML', async () => {
    const track = await seed({ title: 'Log "drums" & <bass>\u0007' });
    const { headers, body } = await ask({ url: urlOf(track), format: 'xml' });
    expect(headers['content-type']).toBe('text/xml; charset=utf-8');
    const [root] = parseDocument(body, { xmlMode: true }).children.filter(
      (node) => 'name' in node && node.name === 'oembed',
    );
    const fields = (root && 'children' in root ? root.children : []).flatMap((node) =>
      'name' in node && 'children' in node
        ? [[node.name, node.children.map((text) => ('data' in text ? text.data : '')).join('')]]
        : [],
    );
    const json = JSON.parse((await ask({ url: urlOf(track), format: 'json' })).body) as object;
    expect(Object.fromEntries(fields)).toEqual(
      Object.fromEntries(
        Object.entries(json).map(([name, value]) => [name, String(value).replace('\u0007', ' ')]),
      ),
    );
  });

  it.each([
    [{ maxwidth: '400', maxheight: '120' }, 400, 120, false],
    [{ maxwidth: '5000', maxheight: '5000' }, 1200, 160, true],
    [{ maxwidth: '0', maxheight: '' }, 600, 160, true],
    [{ maxheight: '140' }, 600, 140, false],
  ])('fits into %j', async (limits, width, height, hasThumbnail) => {
    const track = await seed();
    const answer = (await ask({ url: urlOf(track), ...limits })).json<Record<string, unknown>>();
    expect(answer).toMatchObject({ width, height });
    expect(answer.html).toContain(`width="${width}" height="${height}"`);
    expect('thumbnail_url' in answer).toBe(hasThumbnail);
  });

  it('refuses other formats with 501', async () => {
    const track = await seed();
    for (const format of ['yaml', 'JSON', ''])
      expect((await ask({ url: urlOf(track), format })).statusCode).toBe(501);
  });

  it('refuses addresses that aren’t ours', async () => {
    const { id } = await seed();
    const hostile = [
      '',
      'x',
      `/track/${id}`,
      `//mixes.example.com/track/${id}`,
      `http://mixes.example.com/track/${id}`,
      `https://mixes.example.com:8443/track/${id}`,
      `https://mixes.example.com.evil.example/track/${id}`,
      `https://mixes.example.com@evil.example/track/${id}`,
      `https://user:pass@mixes.example.com/track/${id}`,
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'http://169.254.169.254/track/x',
      `${ORIGIN}/track/${'x'.repeat(3000)}`,
    ];
    for (const url of hostile) {
      const answer = await ask(
        { url },
        { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      );
      expect([url, answer.statusCode]).toEqual([url, 400]);
      expect(answer.json()).toMatchObject({ code: 'validation_failed' });
    }
    expect((await ask({})).statusCode).toBe(400);
    expect((await ask({ url: [`${ORIGIN}/track/${id}`, 'x'] })).statusCode).toBe(400);
    for (const maxwidth of ['-1', 'wide', '1e3', '99999999'])
      expect((await ask({ url: `${ORIGIN}/track/${id}`, maxwidth })).statusCode).toBe(400);
  });

  it('finds nothing for other pages and for mixes that visitors may not hear', async () => {
    const hidden = [
      await seed({ publish_at: null }),
      await seed({ publish_at: test.clock.now() + 1000 }),
      await seed({ is_subscriber_only: 1 }),
    ];
    const paths = ['/', '/library', '/track/unknown', '/track/%00', '/track/%E0%A4', '/track/a/b'];
    for (const url of [...hidden.map(urlOf), ...paths.map((path) => ORIGIN + path)]) {
      const answer = await ask({ url });
      expect([url, answer.statusCode]).toEqual([url, 404]);
    }
  });

  it('is found by an oEmbed client from nothing but the address of a mix', async () => {
    const track = await seed();
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    test.deps.site.origin = origin;
    const page = await fetch(`${origin}/track/${track.id}`);
    const links = [...(await page.text()).matchAll(/<link rel="alternate"[^>]*>/g)].join('\n');
    expect(links).toContain('type="application/json+oembed"');
    expect(links).toContain('type="text/xml+oembed"');
    const found = await extract(`${origin}/track/${track.id}`, { maxwidth: 480 });
    expect(found).toMatchObject({
      type: 'rich',
      version: '1.0',
      title: track.title,
      width: 480,
      height: 160,
      html: expect.stringContaining(`src="${origin}/embed/track/${track.id}"`),
    });
    const [, src = ''] = /src="([^"]+)"/.exec(JSON.stringify(found).replaceAll('\\', '')) ?? [];
    expect((await fetch(src)).status).toBe(200);
  });
});
