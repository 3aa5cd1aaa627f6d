import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../support/fixtures.ts';

type Recorded = Window & { fetched?: { url: string; credentials: string | undefined }[] };

test('every request of the page includes credentials', async ({ page, signIn }) => {
  await signIn('admin');
  await page.addInitScript(() => {
    const fetched: NonNullable<Recorded['fetched']> = [];
    (window as Recorded).fetched = fetched;
    const { fetch } = window;
    window.fetch = (input, init) => {
      const { url, credentials } = new Request(input, init);
      fetched.push({ url: new URL(url).pathname, credentials });
      return fetch(input, init);
    };
  });
  await page.goto('/admin/outbox');
  await expect(page.getByRole('listitem').filter({ hasText: 'To ' }).first()).toBeVisible();
  const read = () => page.evaluate(() => (window as Recorded).fetched ?? []);
  await expect
    .poll(async () => (await read()).map(({ url }) => url))
    .toEqual(
      expect.arrayContaining([
        '/api/auth/me',
        '/api/version',
        '/api/health',
        '/healthz',
        '/api/admin/outbox',
      ]),
    );
  expect((await read()).filter(({ credentials }) => credentials !== 'include')).toEqual([]);
});

test('the session check bypasses caches', async ({ page, signIn }) => {
  await signIn('free');
  const sessionCheck = '**/api/auth/me';
  const disabled = { 'cache-control': 'no-cache', pragma: 'no-cache' };
  const [first] = await Promise.all([page.waitForRequest(sessionCheck), page.goto('/')]);
  expect(first.headers()).toMatchObject(disabled);
  expect(first.postData()).toBeNull();
  const [second] = await Promise.all([
    page.waitForRequest(sessionCheck),
    page.getByRole('complementary').getByRole('link', { name: 'Top 20' }).click(),
  ]);
  expect(second.headers()).toMatchObject(disabled);
  await page.waitForFunction(() => 'healthReport' in window);
  const [third] = await Promise.all([
    page.waitForRequest(sessionCheck),
    page.evaluate(() =>
      (
        window as { healthReport?: { runFullCheck: () => Promise<unknown> } }
      ).healthReport?.runFullCheck(),
    ),
  ]);
  expect(third.headers()).toMatchObject(disabled);
});

test.describe('a separate authentication host', () => {
  // The policy only allows the host in the server's settings, and this test uses another.
  test.use({ bypassCSP: true });

  let host: Server;
  let authOrigin: string;
  const received: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];

  test.beforeAll(async () => {
    host = createServer((request, response) => {
      received.push(request);
      response.writeHead(204, {
        'access-control-allow-origin': request.headers.origin ?? '',
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'content-type',
      });
      response.end();
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    authOrigin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  test.afterAll(() => {
    host.closeAllConnections();
    host.close();
  });

  test('receives the reset-password requests with cookies', async ({ page, signIn }) => {
    await signIn('free');
    await page.addInitScript((origin) => {
      // Between the end of the document and the start of the app.
      const setAuthOrigin = () => {
        const boot = document.getElementById('boot');
        const settings = JSON.parse(boot?.textContent ?? '{}') as object;
        if (boot) boot.textContent = JSON.stringify({ ...settings, authOrigin: origin });
      };
      document.addEventListener('readystatechange', setAuthOrigin, { once: true });
    }, authOrigin);
    await page.goto('/forgot-password');
    await page.getByLabel(/^e-?mail$/i).fill('somebody@example.com');
    await page.getByRole('button', { name: /reset link/i }).click();
    await expect(page.getByText('Check your e-mail')).toBeVisible();

    const cookies = await page.context().cookies();
    const sent = received.find(({ method }) => method === 'POST');
    expect(sent?.url).toBe('/api/auth/reset-password/request');
    expect(sent?.headers.cookie?.split('; ').toSorted()).toEqual(
      cookies.map(({ name, value }) => `${name}=${value}`).toSorted(),
    );
  });
});
