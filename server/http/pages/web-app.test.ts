import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdmin, createHelper } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';

const SITE_NAME = 'Deep </script> & "House"';
const SCRIPT = 'export const answer = 42;'.repeat(40);

let folder: string;
let test: TestApp;
let inlineScripts: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-web-'));
  const template = await readFile(join(import.meta.dirname, '../../../web/index.html'), 'utf8');
  inlineScripts = [...template.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => script,
  );
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, 'index.html'), template);
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, '.vite/manifest.json'), '{}');
  await writeFile(join(folder, 'assets/app-a1b2.js'), SCRIPT);
  await writeFile(join(folder, 'assets/app-a1b2.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets/app-a1b2.js.gz'), gzipSync(SCRIPT));
  test = await createTestApp({ env: { SITE_NAME }, config: { webRoot: folder } });
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the page', () => {
  const expectPage = (response: Awaited<ReturnType<TestApp['app']['inject']>>) => {
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache',
    });
    expect(response.body).toContain('<div id="root">');
  };

  it.each(['/', '/library', '/LIBRARY/', '//library', '/reset-password/a.b'])(
    'is served at %s',
    async (url) => {
      const response = await test.app.inject({ url, headers: html });
      expect(response.statusCode).toBe(200);
      expectPage(response);
    },
  );

  it('is served to helpers where they work; Money, Members and Site don’t exist for them', async () => {
    const { client } = await createHelper(test);
    const statusOf = async (url: string) =>
      (await client.request({ url, headers: html })).statusCode;
    for (const path of ['tracks', 'tracks/edit/1', 'upload', 'artists'])
      expect([path, await statusOf(`/admin/${path}`)]).toEqual([path, 200]);
    for (const path of [
      'books',
      'payments',
      'prices',
      'subscribers',
      'settings',
      'audit',
      'reports/list',
    ])
      expect([path, await statusOf(`/admin/${path}`)]).toEqual([path, 404]);
  });

  it('is served to administrators at their addresses, where others find nothing', async () => {
    const admin = await createAdmin(test);
    const member = await createUser(test);
    const unknown = await test.app.inject({ url: '/no-such-page', headers: html });
    for (const url of [
      '/admin',
      '/admin/',
      '//admin/books',
      '/ADMIN/tracks',
      '/admin/upload-old',
    ]) {
      expectPage(await admin.client.request({ url, headers: html }));
      for (const client of [member.client, test.createClient()]) {
        const response = await client.request({ url, headers: html });
        expect([response.statusCode, response.body]).toEqual([404, unknown.body]);
      }
    }
  });

  it('is sent without an error afterwards', async () => {
    await test.app.inject({ url: '/library', headers: html });
    await test.app.inject({ url: '/', method: 'HEAD', headers: html });
    expect(test.logText()).not.toContain('Promise errored');
    expect(test.logText()).not.toContain('"level":50');
  });

  it('contains the site name and the boot data of the web app', async () => {
    const { body } = await test.app.inject({ url: '/', headers: html });
    expect(body).toContain(
      '<title>A DJ mix every week · Deep &lt;/script&gt; &amp; &quot;House&quot;</title>',
    );
    const boot = /id="boot">([\s\S]*?)<\/script>/.exec(body)?.[1] ?? '';
    expect(boot).not.toContain('<');
    expect(JSON.parse(boot)).toEqual({
      siteName: SITE_NAME,
      dataPrice: null,
      timeZone: 'Africa/Johannesburg',
      look: {
        sleeves: { family: 'all', hemisphere: 'south' },
        headline: '',
        lead: '',
        about: null,
        logo: null,
      },
      authOrigin: '',
      releaseDay: 4,
      hasMoments: false,
      hasClips: true,
      fileEnds: { downloadsEnd: null, losslessEnd: null, savingEnd: null },
      hasPasskeys: false,
      demo: true,
      mixpanel: null,
    });
  });

  it('allows its own inline scripts and no other', async () => {
    const { headers } = await test.app.inject({ url: '/', headers: html });
    const policy = String(headers['content-security-policy']);
    const hashes = inlineScripts.map(
      (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    );
    expect(hashes).toHaveLength(2);
    expect(policy).toContain(`script-src 'self' ${hashes.join(' ')};`);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('isn’t sent again if the browser has it', async () => {
    const first = await test.app.inject({ url: '/', headers: html });
    const etag = String(first.headers.etag);
    const again = await test.app.inject({
      url: '/',
      headers: { ...html, 'if-none-match': `W/${etag}` },
    });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  it.each(['/assets/gone.js', '/assets/', '/api/gone', '/media/gone', '/api', '/assets'])(
    'isn’t served at %s',
    async (url) => {
      const response = await test.app.inject({ url, headers: html });
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ code: 'not_found' });
    },
  );

  it.each(['/service-worker.js', '/favicon.ico', '/index.html', '/deep/gone.js?v=1', '/wp.php'])(
    'isn’t served for a missing file: %s',
    async (url) => {
      for (const headers of [html, { accept: '*/*' }, {}]) {
        const response = await test.app.inject({ url, headers });
        expect(response.statusCode).toBe(404);
        expect(response.json()).toMatchObject({ code: 'not_found' });
      }
      expect((await test.app.inject({ url: '/library', headers: {} })).statusCode).toBe(200);
    },
  );

  it.each(['/no-such-page', '/library/x', '/admin/gone', '/track', '/%00', '/%3Cscript%3E'])(
    'says at %s that there is none',
    async (url) => {
      const response = await test.app.inject({ url, headers: html });
      expect(response.statusCode).toBe(404);
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(response.body).toContain('<div id="loader"');
      expect(response.body).toContain('<title>Page not found · ');
      expect(response.body).toContain('<meta name="robots" content="noindex" />');
      expect(/<noscript>[\s\S]*<\/noscript>/.exec(response.body)?.[0]).toContain('Page not found');
    },
  );

  it('of members isn’t for search engines', async () => {
    const { body } = await test.app.inject({ url: '/settings', headers: html });
    expect(body).toContain('<meta name="robots" content="noindex" />');
    const home = await test.app.inject({ url: '/', headers: html });
    expect(home.body).not.toContain('name="robots"');
  });

  it('doesn’t reveal the URL of a reset link to other sites', async () => {
    const policyAt = async (url: string) =>
      (await test.app.inject({ url, headers: html })).headers['referrer-policy'];
    expect(await policyAt('/reset-password/some-token')).toBe('no-referrer');
    expect(await policyAt('/library')).toBe('same-origin');
  });

  it('isn’t served to a client that accepts only images', async () => {
    const response = await test.app.inject({ url: '/gone.png', headers: { accept: 'image/*' } });
    expect(response.statusCode).toBe(404);
  });
});

describe('files', () => {
  it('with a hash in their name are cached for a year', async () => {
    const response = await test.app.inject({ url: '/assets/app-a1b2.js' });
    expect(response.body).toBe(SCRIPT);
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(response.headers['content-type']).toContain('javascript');
    expect(response.headers).not.toHaveProperty('last-modified');
    expect(response.headers).not.toHaveProperty('accept-ranges');
  });

  it('are sent compressed to clients that accept it', async () => {
    const response = await test.app.inject({
      url: '/assets/app-a1b2.js',
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(response.headers['content-encoding']).toBe('br');
    expect(response.headers['content-type']).toContain('javascript');
    expect(brotliDecompressSync(response.rawPayload).toString()).toBe(SCRIPT);
  });

  it('are sent with gzip to clients that accept nothing better', async () => {
    const headers = { 'accept-encoding': 'gzip, br;q=0' };
    const response = await test.app.inject({ url: '/assets/app-a1b2.js', headers });
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(gunzipSync(response.rawPayload).toString()).toBe(SCRIPT);
  });

  it('are not sent again to a browser that has them', async () => {
    const { headers } = await test.app.inject({ url: '/icon.svg' });
    const again = await test.app.inject({
      url: '/icon.svg',
      headers: { 'if-none-match': String(headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  it('stay the same while the server runs, so that a new build does not mix with its page', async () => {
    const path = join(folder, 'assets/app-a1b2.js');
    await rename(path, `${path}.moved`);
    await writeFile(join(folder, 'assets/new-c3d4.js'), SCRIPT);
    try {
      expect((await test.app.inject({ url: '/assets/app-a1b2.js' })).body).toBe(SCRIPT);
      expect((await test.app.inject({ url: '/assets/new-c3d4.js' })).statusCode).toBe(404);
    } finally {
      await rename(`${path}.moved`, path);
    }
  });

  it('without a hash are cached for a short time', async () => {
    const response = await test.app.inject({ url: '/icon.svg' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('public, max-age=300');
  });

  it.each([
    '/.vite/manifest.json',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/index.html',
    '/assets/app-a1b2.js.br',
  ])('do not include %s', async (url) => {
    const response = await test.app.inject({ url });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'not_found' });
  });
});

it('says what to do when the web app is not built', async () => {
  const bare = await createTestApp();
  try {
    const response = await bare.app.inject({ url: '/', headers: html });
    expect(response.statusCode).toBe(503);
    expect(response.body).toContain('npm run build');
    expect((await bare.app.inject({ url: '/api/version' })).statusCode).toBe(200);
  } finally {
    await bare.close();
  }
});
