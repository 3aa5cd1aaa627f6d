/** @module-tag both-databases */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { hashSource } from '../../http/security-headers.ts';
import { readSiteLook } from '../../http/pages/web-page.ts';
import { sandboxWork } from './jobs.ts';
import { openSandbox } from './jobs.ts';
import { buildSandboxPolicy, renderSandbox } from './page.ts';
import { DAY } from '#contract/rules/time.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';

const CANCEL = 'http://127.0.0.1:3000/pricing';
const SUCCESS = 'http://127.0.0.1:3000/subscription-success?reference=ref-1';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const start = async (change: { firstChargeAt?: number; amount?: number } = {}) => {
  const { url } = await test.deps.payments.startCheckout({
    reference: 'ref-1',
    userId: 'user-1',
    email: 'thandi@example.com',
    customerId: null,
    plan: 'monthly',
    amount: 7900,
    renewalAmount: 7900,
    currency: 'ZAR',
    firstChargeAt: test.clock.now(),
    successUrl: SUCCESS,
    cancelUrl: CANCEL,
    ...change,
  });
  return new URL(url).pathname;
};
const read = () => test.deps.payments.getCheckout('ref-1');
const post = (url: string, form: Record<string, string>) =>
  test.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });

describeOnSqlite('the checkout page', () => {
  it('says that it is a test and what is due, and offers cards by name without any text field', async () => {
    const page = await test.app.inject(await start());
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Test payment page.');
    expect(page.body).toMatch(/Due today<\/span><strong>R79</);
    expect(page.body).toContain('Then R79 a month until you cancel');
    expect(page.body.match(/<input type="radio" name="card"/g)).toHaveLength(9);
    expect(page.body).not.toMatch(/<input(?! type="radio"| type="hidden")|<script/);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'none'; style-src 'self' 'sha256-[^']+'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(page.headers['cache-control']).toBe('no-store');
  });

  it('has the fonts, colours and theme of the site, and runs no other script', async () => {
    const theme = 'document.documentElement.dataset.theme = "light";';
    await mkdir(test.deps.config.webRoot, { recursive: true });
    await writeFile(
      join(test.deps.config.webRoot, 'index.html'),
      `<script>${theme}</script><script>keepPresses();</script><script type="application/json" id="boot">{}</script>
<link rel="stylesheet" crossorigin href="/assets/site.css"><script type="module" src="/assets/app.js"></script>`,
    );
    const look = readSiteLook(test.deps.config.webRoot);
    const page = renderSandbox(
      { siteName: 'Weekender', timeZone: 'UTC', look },
      { kind: 'expired' },
    );
    expect(page).toContain('<link rel="stylesheet" href="/assets/site.css">');
    expect(page).toContain('var(--font-display');
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script>']);
    const policy = buildSandboxPolicy(look);
    expect(policy).toContain(`script-src ${hashSource(theme)};`);
    expect(policy).not.toContain('unsafe');
  });

  it('shows when the first payment is due after a trial', async () => {
    const firstChargeAt = Date.UTC(2026, 10, 29, 12);
    const page = await test.app.inject(await start({ firstChargeAt }));
    expect(page.body).toMatch(/Due today<\/span><strong>R0</);
    expect(page.body).toContain('R79 on 29 November 2026, then R79 a month until you cancel');
  });

  it('accepts the payment and redirects, also when it is sent twice or opened again', async () => {
    const path = await start();
    for (const answer of [
      await post(path, { card: 'success' }),
      await post(path, { card: 'success' }),
    ])
      expect([answer.statusCode, answer.headers.location]).toEqual([303, SUCCESS]);
    expect((await test.app.inject(path)).headers.location).toBe(SUCCESS);
    const { state, customerId } = await read();
    expect(state).toBe('paid');
    expect(await test.deps.payments.listProviderSubscriptions(customerId ?? '')).toHaveLength(1);
  });

  it.each([
    ['insufficient-funds', 'insufficient funds'],
    ['expired', 'the card has expired'],
  ])('says why %s is declined, and lets the user try another card', async (card, reason) => {
    const path = await start();
    const declined = await post(path, { card });
    expect(declined.statusCode).toBe(402);
    expect(declined.body).toMatch(new RegExp(`role="alert">[^<]*${reason}`));
    expect(await read()).toMatchObject({ state: 'open', charge: { status: 'failed' } });
    await post(path, { card: 'success' });
    expect(await read()).toMatchObject({ state: 'paid', charge: { status: 'paid' } });
  });

  it('asks for confirmation if the bank does, and accepts a refusal', async () => {
    const path = await start();
    const asked = await post(path, { card: 'confirmation' });
    expect(asked.body).toContain('Confirm with your bank');
    expect((await read()).state).toBe('open');
    const refused = await post(path, { card: 'confirmation', answer: 'no' });
    expect(refused.body).toContain('wasn’t confirmed with your bank');
    const paid = await post(path, { card: 'confirmation', answer: 'yes' });
    expect(paid.headers.location).toBe(SUCCESS);
  });

  it('goes back without a payment, and is closed from then on', async () => {
    const path = await start();
    const left = await post(path, { card: 'success', answer: 'cancel' });
    expect([left.statusCode, left.headers.location]).toEqual([303, CANCEL]);
    expect((await read()).state).toBe('failed');
    const late = await post(path, { card: 'success' });
    expect(late.statusCode).toBe(404);
    expect((await read()).charge).toBeNull();
  });

  it.each([
    { card: '4242424242424242' },
    { card: 'toString' },
    {},
    { card: 'success', answer: 'x' },
  ])('refuses anything but its cards: %j', async (form) => {
    const path = await start();
    expect((await post(path, form)).statusCode).toBe(400);
    expect((await read()).state).toBe('open');
  });

  it('is not found at an unknown address', async () => {
    expect((await test.app.inject('/sandbox/checkout/chk_1')).statusCode).toBe(404);
    expect((await post('/sandbox/checkout/chk_1', { card: 'success' })).statusCode).toBe(404);
    expect((await post('/sandbox/card/upd_1', { card: 'success' })).statusCode).toBe(404);
  });

  it('accepts no form from another site', async () => {
    const path = await start();
    const answer = await test.app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
      },
      payload: 'card=success',
    });
    expect(answer.statusCode).toBe(403);
    expect((await read()).state).toBe('open');
  });
});

it('updates the card on a separate page and redirects', async () => {
  await post(await start(), { card: 'pays-once' });
  const { providerSubscriptionId } = await read();
  const { payments } = test.deps;
  const url = await payments.cardUpdateUrl(
    providerSubscriptionId ?? '',
    'http://127.0.0.1:3000/subscription',
  );
  const path = new URL(url).pathname;
  const page = await test.app.inject(path);
  expect(page.body).toMatch(/value="pays-once" checked/);
  expect(page.body).toContain('We check the card with R1 and give it back.');
  const declined = await post(path, { card: 'expired' });
  expect(declined.statusCode).toBe(402);
  expect(declined.body).toMatch(/role="alert">[^<]*the card has expired/);
  const answer = await post(path, { card: 'success' });
  expect([answer.statusCode, answer.headers.location]).toEqual([
    303,
    'http://127.0.0.1:3000/subscription',
  ]);
  const { providerSubscription } = await payments.getProviderSubscription(
    providerSubscriptionId ?? '',
  );
  expect(providerSubscription.card?.last4).toBe('4242');
});

it('is not found when the site uses another provider', async () => {
  const other = await createTestApp({ env: { APP_ORIGIN: 'https://music.example' } });
  try {
    const url = '/sandbox/checkout/chk_1';
    expect((await other.app.inject(url)).body).not.toContain('Test payment');
    expect((await other.app.inject({ method: 'POST', url })).statusCode).toBe(404);
  } finally {
    await other.close();
  }
});

describe('its webhooks', () => {
  type Received = { url: string | undefined; headers: IncomingHttpHeaders; body: Buffer };
  const receive = async (statuses: number[]) => {
    const received: Received[] = [];
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        received.push({ url: request.url, headers: request.headers, body });
        response.writeHead(statuses.shift() ?? 200).end();
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    test.deps.site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { received, close: () => new Promise((resolve) => server.close(resolve)) };
  };

  it('arrive over HTTP, signed, until they are accepted', async () => {
    const { received, close } = await receive([500]);
    try {
      await post(await start(), { card: 'success' });
      await test.worker.runDue();
      expect(received).toHaveLength(1);
      test.clock.advance(10_000);
      await test.worker.runDue();
      test.clock.advance(60_000);
      await test.worker.runDue();
      expect(received.map(({ url }) => url)).toEqual(Array(2).fill('/api/webhooks/sandbox'));
      const [first, second] = received;
      expect(second?.body).toEqual(first?.body);
      const webhookEvent = await test.deps.payments.parseWebhook(
        second?.headers ?? {},
        second?.body ?? Buffer.alloc(0),
      );
      expect(webhookEvent).toMatchObject({
        kind: 'checkout.paid',
        subjects: [{ reference: 'ref-1' }],
      });
      expect(await test.sandbox.drainWebhooks()).toEqual([]);
    } finally {
      await close();
    }
  });

  it('and the end of an unanswered dispute come automatically when they are due', async () => {
    const { received, close } = await receive([]);
    try {
      await post(await start(), { card: 'success' });
      const { charge } = await read();
      await openSandbox(test.deps, sandboxWork).dispute(charge?.id ?? '');
      await test.worker.runDue();
      expect((await read()).charge?.dispute?.state).toBe('open');
      test.clock.advance(2 * DAY);
      await test.worker.runDue();
      expect((await read()).charge?.dispute?.state).toBe('lost');
      expect(
        received.map(({ body }) => (JSON.parse(body.toString()) as { kind: string }).kind),
      ).toEqual(expect.arrayContaining(['charge.disputed', 'charge.dispute-lost']));
    } finally {
      await close();
    }
  });

  it('and renewals happen automatically when they are due', async () => {
    const { received, close } = await receive([]);
    try {
      await post(await start(), { card: 'success' });
      const { providerSubscriptionId } = await read();
      test.clock.advance(31 * DAY);
      await test.worker.runDue();
      const { charges } = await openSandbox(
        test.deps,
        sandboxWork,
      ).payments.getProviderSubscription(providerSubscriptionId ?? '');
      expect(charges).toHaveLength(2);
      expect(
        received.map(({ body }) => (JSON.parse(body.toString()) as { kind: string }).kind),
      ).toEqual(expect.arrayContaining(['checkout.paid', 'charge.paid']));
    } finally {
      await close();
    }
  });
});
