import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { dayOf } from '#contract/rules/days.ts';
import { addDays } from '#contract/rules/report-days.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { cookieOf, createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';

/** Stands in for the built web app. It renders who asks, and as `mode` in the query string says. */
const WEB_APP = `
await globalThis.loadCode?.();
export const transport = {};
export const waiting = [];
globalThis.renders = { count: 0, finished: 0, waiting };
export async function renderPage({ path, search }) {
  globalThis.renders.count++;
  try {
    return await render(path, search);
  } finally {
    globalThis.renders.finished++;
  }
}
async function render(path, search) {
  if (search.includes('mode=throw')) throw new Error('A component failed.');
  if (search.includes('mode=wait')) await new Promise((resolve) => waiting.push(resolve));
  const response = await transport.fetch('/api/auth/me');
  const user = response.ok ? await response.json() : null;
  const name = user ? user.username : 'visitor';
  return {
    ...(search.includes('mode=login') && { redirectedTo: '/login?next=' + encodeURIComponent(path) + '"' }),
    html: search.includes('mode=redirect') ? '' : '<h1>' + path + ' for ' + name + '</h1>',
    isMissing: search.includes('mode=missing'),
    answers: [[['/api/auth/me'], user], ['title', '</script><script>alert(1)</script>']],
  };
}
`;

type Renders = { count: number; finished: number; waiting: (() => void)[] };
const renders = () => (globalThis as unknown as { renders: Renders }).renders;

let folder: string;
let test: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-render-'));
  await mkdir(join(folder, 'web'));
  await mkdir(join(folder, 'render'));
  const template = await readFile(join(import.meta.dirname, '../../../web/index.html'), 'utf8');
  await writeFile(join(folder, 'web/index.html'), template);
  await writeFile(join(folder, 'render/render-page.js'), WEB_APP);
  test = await createTestApp({ config: { webRoot: join(folder, 'web') } });
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => {
  vi.useRealTimers();
  test.clock.advance(60_000);
});

const html = { accept: 'text/html' };
const open = (url: string, headers: Record<string, string> = {}) =>
  test.app.inject({ url, headers: { ...html, ...headers } });

describe('a rendered page', () => {
  it('arrives with its content and what it asked for', async () => {
    const { body, headers, statusCode } = await open('/top-20');
    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(body).toContain('<div id="root"><h1>/top-20 for visitor</h1></div>');
    const answers =
      /id="answers" data-rendered-at="\d+" data-today="[\d-]+" data-day-ends-at="\d+">([^<]*)<\/script>/.exec(
        body,
      )?.[1] ?? '';
    expect(JSON.parse(answers)[0]).toEqual([['/api/auth/me'], null]);
  });

  it('says which day it shows, and when that day ends', async () => {
    const { body } = await open('/top-20');
    const [, today = '', end] = /data-today="([\d-]+)" data-day-ends-at="(\d+)"/.exec(body) ?? [];
    const { timeZone } = test.deps.config;
    expect(dayOf(Number(end) - 1, timeZone)).toBe(today);
    expect(dayOf(Number(end), timeZone)).toBe(addDays(today, 1));
  });

  it('has the status 404 if what it is about doesn’t exist for the viewer', async () => {
    const { client } = await createUser(test, 'zanele');
    const cookie = cookieOf(client);
    const statusOf = async (url: string, headers = {}) => (await open(url, headers)).statusCode;
    expect(await statusOf('/track/x?mode=missing', { cookie })).toBe(404);
    // For this viewer it exists, although visitors find nothing there.
    expect(await statusOf('/track/x', { cookie })).toBe(200);
    expect(await statusOf('/track/x?mode=redirect')).toBe(404);
    // Nobody knows what this viewer may see.
    expect(await statusOf('/track/x?mode=throw', { cookie })).toBe(200);
    expect(await statusOf('/track/x?mode=throw')).toBe(404);
  });

  it('is the login page for visitors who may not open it, with what links to it show', async () => {
    const { database, storage, clock } = test.deps;
    const track = await seedTrack({ db: database.db, storage, now: clock.now() });
    const path = `/track/${track.id}`;
    const shown = await open(`${path}?mode=login`);
    expect(shown.statusCode).toBe(200);
    expect(shown.body).toContain(
      ` id="answers" data-redirected-to="/login?next=%2Ftrack%2F${track.id}&quot;"`,
    );
    expect(shown.body).toContain('<title>Golden Hour Pressure · Weekender</title>');
    const unknown = await open('/track/x?mode=login');
    expect(unknown.statusCode).toBe(404);
    expect(unknown.body).not.toContain('og:title');
    const titleOf = async (next: string) =>
      /<title>([^<]*)</.exec((await open(`/login?next=${encodeURIComponent(next)}`)).body)?.[1];
    expect(await titleOf(`${path}?t=12`)).toBe('Golden Hour Pressure · Weekender');
    for (const next of [
      '/track/x',
      `//evil.example${path}`,
      `https://evil.example${path}`,
      '/track/%00',
    ])
      expect(await titleOf(next)).toBe('Login · Weekender');
  });

  it('can contain a title that would end its data', async () => {
    const { body } = await open('/');
    expect(body).not.toContain('alert(1)</script>');
    const answers =
      /id="answers" data-rendered-at="\d+" data-today="[\d-]+" data-day-ends-at="\d+">([^<]*)<\/script>/.exec(
        body,
      )?.[1] ?? '';
    expect(JSON.parse(answers)[1][1]).toBe('</script><script>alert(1)</script>');
  });

  it('loads its scripts after its first paint; an empty page at once', async () => {
    const rendered = (await open('/top-20')).body;
    const [, later = ''] = /id="after-paint">([^<]*)</.exec(rendered) ?? [];
    expect(JSON.parse(later)).toEqual(
      expect.arrayContaining([
        { src: '/boot/main.tsx' },
        { rel: 'manifest', href: '/manifest.webmanifest' },
      ]),
    );
    expect(rendered).not.toMatch(/<script type="module"|<link rel="manifest"|id="loader"/);
    expect(rendered).not.toContain('type="module"');
    const empty = (await open('/top-20?mode=redirect')).body;
    expect(empty).toContain('<script type="module" src="/boot/main.tsx">');
  });

  it('is compressed for browsers that accept it', async () => {
    const response = await open('/', { 'accept-encoding': 'gzip' });
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(response.rawPayload).toString()).toContain('<h1>/ for visitor</h1>');
    const smaller = await open('/', { 'accept-encoding': 'gzip, deflate, br' });
    expect(smaller.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(smaller.rawPayload).toString()).toContain('<h1>/ for visitor</h1>');
    const refused = await open('/', { 'accept-encoding': 'gzip, br;q=0' });
    expect(refused.headers['content-encoding']).toBe('gzip');
    // Only its compressed copies are kept by now.
    const plain = await open('/');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe(gunzipSync(response.rawPayload).toString());
    expect(plain.headers.etag).toBe(smaller.headers.etag);
  });

  it('is rendered after short requests that wait', async () => {
    const hasWaiting = vi.spyOn(test.app, 'hasWaitingRequests');
    const answers = [true, true, false];
    hasWaiting.mockImplementation(() => answers.shift() ?? false);
    expect((await open('/?crowded')).body).toContain('<h1>/ for visitor</h1>');
    expect(hasWaiting).toHaveBeenCalledTimes(3);
    hasWaiting.mockRestore();
  });

  it('is the viewer’s own, however many open it at the same time', async () => {
    const users = await Promise.all(
      ['lindiwe', 'sipho', 'thandi', 'pieter'].map((name) => createUser(test, name)),
    );
    const viewers = [...users, null, ...users, null, ...users];
    const pages = await Promise.all(
      viewers.map((user) => open('/', user ? { cookie: cookieOf(user.client) } : {})),
    );
    for (const [index, { body }] of pages.entries())
      expect(body).toContain(`<h1>/ for ${viewers[index]?.user.username ?? 'visitor'}</h1>`);
  });
});

describe('visitors', () => {
  it('share a page for a short time', async () => {
    const before = renders().count;
    await Promise.all([open('/landing'), open('/landing')]);
    await open('/landing');
    expect(renders().count).toBe(before + 1);
    test.clock.advance(60_000);
    await open('/landing');
    expect(renders().count).toBe(before + 2);
  });

  it('get a new page as soon as the catalogue changes, or a release comes out', async () => {
    const { database, storage, clock } = test.deps;
    const place = { db: database.db, storage, now: clock.now() };
    const countRenders = async () => {
      const before = renders().count;
      await open('/landing');
      await open('/landing');
      return renders().count - before;
    };
    expect(await countRenders()).toBe(1);
    expect(await countRenders()).toBe(0);
    const { id } = await seedTrack(place, { publish_at: clock.now() + 1000 });
    expect(await countRenders()).toBe(1);
    test.clock.advance(1000);
    expect(await countRenders()).toBe(1);
    await database.db
      .updateTable('tracks')
      .set({ title: 'Renamed' })
      .where('id', '=', id)
      .execute();
    expect(await countRenders()).toBe(1);
    expect(await countRenders()).toBe(0);
  });

  it('never share one with a query string, which could be anything', async () => {
    const before = renders().count;
    await open('/?next=%2Flibrary');
    await open('/?next=%2Flibrary');
    expect(renders().count).toBe(before + 2);
  });

  it('never get a page of someone who is logged in', async () => {
    const { client } = await createUser(test, 'nomsa');
    const cookie = cookieOf(client);
    expect((await open('/login', { cookie })).body).toContain('for nomsa');
    expect((await open('/login')).body).toContain('for visitor');
    expect((await open('/login', { cookie })).body).toContain('for nomsa');
  });
});

describe('when rendering fails, the browser gets the empty page', () => {
  const EMPTY = '<div id="loader"';

  it('because a component throws, which is logged', async () => {
    const { statusCode, body } = await open('/?mode=throw');
    expect(statusCode).toBe(200);
    expect(body).toContain(EMPTY);
    expect(test.logText()).toContain('A component failed.');
  });

  it('because it takes too long, which is a warning and no error', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const page = open('/?mode=wait');
    await vi.waitUntil(() => renders().waiting.length === 1);
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await page).body).toContain(EMPTY);
    const line = test
      .logText()
      .split('\n')
      .find((text) => text.includes('took too long'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 40 });
    renders().waiting.pop()?.();
    await vi.waitUntil(() => renders().finished === renders().count);
  });

  it('because too many are being rendered, until there is room again', async () => {
    const pages = Array.from({ length: 32 }, () => open('/?mode=wait'));
    await vi.waitUntil(() => renders().waiting.length === 32);
    expect((await open('/?more')).body).toContain(EMPTY);
    for (const finish of renders().waiting.splice(0)) finish();
    for (const { body } of await Promise.all(pages)) expect(body).toContain('for visitor');
    expect((await open('/?more')).body).toContain('for visitor');
  });
});

it('the first page after a start waits for the code, however slow the machine is', async () => {
  const slow = await mkdtemp(join(tmpdir(), 'test-slow-start-'));
  await cp(folder, slow, { recursive: true });
  const code = Promise.withResolvers<void>();
  const loadCode = vi.fn<() => Promise<void>>(() => code.promise);
  vi.stubGlobal('loadCode', loadCode);
  const started = await createTestApp({ config: { webRoot: join(slow, 'web') } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const page = started.app.inject({ url: '/top-20', headers: html });
  await vi.waitUntil(() => loadCode.mock.calls.length > 0);
  await vi.advanceTimersByTimeAsync(60_000);
  code.resolve();
  expect((await page).body).toContain('<h1>/top-20 for visitor</h1>');
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await started.close();
  await rm(slow, { recursive: true, force: true });
});

it('other pages are rendered in the browser', async () => {
  const before = renders().count;
  expect((await open('/settings')).body).toContain('<div id="loader"');
  expect(renders().count).toBe(before);
});
