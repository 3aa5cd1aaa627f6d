import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSettings } from '../../db/settings.ts';
import { reloadSettings } from '../../features/settings/service.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';

let folder: string;
const open: TestApp[] = [];

const start = async (SITE_NAME: string) => {
  const test = await createTestApp({ env: { SITE_NAME }, config: { webRoot: folder } });
  open.push(test);
  return test;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-installed-'));
  await writeFile(join(folder, 'index.html'), '<title>__SITE_NAME__</title>');
  await writeFile(join(folder, 'service-worker.js'), "const revision = '__SHELL_REVISION__';");
});
afterAll(async () => {
  for (const test of open) await test.close();
  await rm(folder, { recursive: true, force: true });
});

type Manifest = { name: string; icons: { src: string; sizes: string; purpose?: string }[] };

describe('the manifest', () => {
  it('has the site name and everything a phone needs to install the app', async () => {
    const { app } = await start('Deep "House"');
    const response = await app.inject({ url: '/manifest.webmanifest' });
    expect(response.headers['content-type']).toMatch(/^application\/manifest\+json/);
    const manifest = response.json<Manifest>();
    expect(manifest).toMatchObject({
      name: 'Deep "House"',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      theme_color: '#100c09',
    });
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual([
      '192x192',
      '512x512',
      '512x512',
      'any',
    ]);
    expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
    for (const { src, sizes } of manifest.icons.filter((icon) => icon.src.endsWith('.png'))) {
      const file = join(import.meta.dirname, '../../../web/public', src);
      const { width, height } = await sharp(await readFile(file)).metadata();
      expect(`${width}x${height}`).toBe(sizes);
    }
  });
});

it('the menu of the installed app has downloads as long as there is something to keep', async () => {
  const { app, deps, clock } = await start('Keep');
  const { db } = deps.database;
  const readShortcuts = async () => {
    await reloadSettings(deps);
    const { json } = await app.inject({ url: '/manifest.webmanifest' });
    const { shortcuts } = json<{ shortcuts: { name: string }[] }>();
    return shortcuts.map(({ name }) => name);
  };
  expect(await readShortcuts()).toEqual(['Downloads', 'Top 20']);
  const savingEnd = clock.now() + 1000;
  await changeSettings(db, { downloadsEnd: 0, savingEnd }, clock.now());
  expect(await readShortcuts()).toEqual(['Downloads', 'Top 20']);
  clock.advance(1000);
  expect(await readShortcuts()).toEqual(['Top 20']);
});

it('the icon for clients that ask for no other is an icon', async () => {
  const icon = await readFile(join(import.meta.dirname, '../../../web/public/favicon.ico'));
  await writeFile(join(folder, 'favicon.ico'), icon);
  const { app } = await start('Icon');
  const response = await app.inject({ url: '/favicon.ico' });
  expect(response.headers['content-type']).toMatch(/^image\/(?:vnd\.microsoft\.icon|x-icon)/);
  expect(response.rawPayload).toEqual(icon);
  // Reserved, an icon, and the number of its pictures; then an entry for each.
  expect([icon.readUInt16LE(0), icon.readUInt16LE(2), icon.readUInt16LE(4)]).toEqual([0, 1, 3]);
  const sizes = [0, 1, 2].map(async (index) => {
    const entry = 6 + index * 16;
    const [length, offset] = [icon.readUInt32LE(entry + 8), icon.readUInt32LE(entry + 12)];
    const { format, width } = await sharp(icon.subarray(offset, offset + length)).metadata();
    return { format, width, stated: icon[entry] };
  });
  expect(await Promise.all(sizes)).toEqual(
    [16, 32, 48].map((width) => ({ format: 'png', width, stated: width })),
  );
});

describe('the service worker', () => {
  it('is revalidated each time and has the page’s content security policy', async () => {
    const { app } = await start('One');
    const response = await app.inject({ url: '/service-worker.js' });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("script-src 'self'"),
    });
    const again = await app.inject({
      url: '/service-worker.js',
      headers: { 'if-none-match': String(response.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    const zipped = await app.inject({
      url: '/service-worker.js',
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(response.body);
  });

  it('changes with the page, even when only a setting changed', async () => {
    const readBody = async (name: string) =>
      (await (await start(name)).app.inject('/service-worker.js')).body;
    const one = await readBody('One');
    expect(one).toMatch(/^const revision = '[\w-]{27}';$/);
    expect(await readBody('One')).toBe(one);
    expect(await readBody('Two')).not.toBe(one);
  });
});
