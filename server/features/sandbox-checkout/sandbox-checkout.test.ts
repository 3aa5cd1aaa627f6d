/** @module-tag both-databases */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { enqueue } from '../../jobs/queue.ts';
import { hashSource } from '../../http/send/security-headers.ts';
import { readSiteLook } from '../../http/pages/web-page.ts';
import { BANK_PAYMENTS, TEST_CARDS } from '../../ports/payments/sandbox/ways-to-pay.ts';
import type { PaymentRequest } from '../../ports/payments/payments.ts';
import { openSandbox, sandboxWork } from './jobs.ts';
import { buildSandboxPolicy, renderSandbox } from './page.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';

const CANCEL = 'http://127.0.0.1:3000/pricing';
const SUCCESS = 'http://127.0.0.1:3000/subscription-success?reference=wk-1';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const buildRequest = (change: Partial<PaymentRequest> = {}): PaymentRequest => ({
  reference: 'wk-1',
  providerId: null,
  email: 'thandi@example.com',
  amount: 7900,
  currency: 'ZAR',
  description: 'Premium for a month',
  savesCard: true,
  successUrl: SUCCESS,
  cancelUrl: CANCEL,
  ...change,
});
const start = async (change: Partial<PaymentRequest> = {}) => {
  const { url } = await test.deps.payments.startPayment(buildRequest(change));
  return new URL(url).pathname;
};
const read = () => test.deps.payments.readPayment('wk-1', null);
const post = (url: string, form: Record<string, string>) =>
  test.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });
const listMethods = (body: string) =>
  [...body.matchAll(/<input type="radio" name="method" value="([^"]+)"/g)].map(([, name]) => name);

describeOnSqlite('the payment page', () => {
  it('says that it is a test and what is due, and offers cards by name without any text field', async () => {
    const page = await test.app.inject(await start({ description: 'Premium <for> a month' }));
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Test payment page.');
    expect(page.body).toContain('No real money is charged');
    expect(page.body).toMatch(/Due today<\/span><strong>R79</);
    expect(page.body).toContain('Premium &lt;for&gt; a month');
    expect(page.body).toContain('The card is saved for later payments.');
    expect(listMethods(page.body)).toEqual(Object.keys(TEST_CARDS));
    expect(page.body).not.toMatch(/<input(?! type="radio"| type="hidden")|<script/);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'none'; style-src 'self' 'sha256-[^']+'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(page.headers['cache-control']).toBe('no-store');
  });

  it('offers bank payments, and no cards that only differ later, if none is saved', async () => {
    const page = await test.app.inject(await start({ savesCard: false }));
    expect(listMethods(page.body)).toEqual([
      ...Object.keys(BANK_PAYMENTS),
      'success',
      'confirmation',
      'insufficient-funds',
      'stolen',
    ]);
    expect(page.body).not.toContain('saved');
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

  it('accepts the payment and redirects, also when it is sent twice or opened again', async () => {
    const path = await start();
    for (const answer of [
      await post(path, { method: 'success' }),
      await post(path, { method: 'success' }),
    ])
      expect([answer.statusCode, answer.headers.location]).toEqual([303, SUCCESS]);
    expect((await test.app.inject(path)).headers.location).toBe(SUCCESS);
    expect((await read()).status).toBe('paid');
    expect(await test.sandbox.drainWebhooks()).toHaveLength(1);
  });

  it.each([
    ['insufficient-funds', 'insufficient funds'],
    ['stolen', 'the card was reported lost or stolen'],
  ])('says why %s is declined, and lets the user try another card', async (method, reason) => {
    const path = await start();
    const declined = await post(path, { method });
    expect(declined.statusCode).toBe(402);
    expect(declined.body).toMatch(new RegExp(`role="alert">[^<]*${reason}`));
    expect(declined.body).toContain(`value="${method}" checked`);
    expect((await read()).status).toBe('open');
    await post(path, { method: 'success' });
    expect((await read()).status).toBe('paid');
  });

  it('asks for confirmation if the bank does, and accepts a refusal', async () => {
    const path = await start();
    const method = 'confirmation';
    const asked = await post(path, { method });
    expect(asked.body).toContain('Confirm with your bank');
    expect((await read()).status).toBe('open');
    const refused = await post(path, { method, answer: 'no' });
    expect(refused.body).toContain('wasn’t confirmed with your bank');
    const paid = await post(path, { method, answer: 'yes' });
    expect(paid.headers.location).toBe(SUCCESS);
  });

  it.each([
    ['arrive', 'paid'],
    ['fail', 'failed'],
  ])('lets the user decide a bank payment that is on its way: %s', async (answer, status) => {
    const path = await start({ savesCard: false });
    const sent = await post(path, { method: 'eft-later' });
    expect([sent.statusCode, sent.headers.location]).toEqual([303, SUCCESS]);
    expect((await read()).status).toBe('pending');
    const page = await test.app.inject(path);
    expect(page.body).toContain('The payment is on its way');
    expect(page.body).toContain(`href="${SUCCESS}"`);
    expect(listMethods(page.body)).toEqual([]);
    const decided = await post(path, { answer });
    expect([decided.statusCode, decided.headers.location]).toEqual([303, SUCCESS]);
    expect((await read()).status).toBe(status);
  });

  it('can’t be cancelled or paid again while a bank payment is on its way', async () => {
    const path = await start({ savesCard: false });
    await post(path, { method: 'eft-waits' });
    expect((await test.app.inject(path)).body).toContain('waits for you');
    await post(path, { answer: 'cancel' });
    await post(path, { method: 'success' });
    expect(await read()).toMatchObject({ status: 'pending', channel: 'eft' });
  });

  it('goes back without a payment, and is closed from then on', async () => {
    const path = await start();
    const left = await post(path, { answer: 'cancel' });
    expect([left.statusCode, left.headers.location]).toEqual([303, CANCEL]);
    expect((await read()).status).toBe('failed');
    expect((await post(path, { method: 'success' })).statusCode).toBe(404);
    expect((await test.app.inject(path)).statusCode).toBe(404);
    expect((await read()).chargeId).toBeNull();
  });

  it.each([
    { method: '4242424242424242' },
    { method: 'toString' },
    {},
    { method: 'success', answer: 'x' },
    // It needs a card to save.
    { method: 'eft-paid' },
  ])('refuses anything but what it offers: %j', async (form) => {
    const path = await start();
    expect((await post(path, form)).statusCode).toBe(400);
    expect((await read()).status).toBe('open');
  });

  it('is not found at an unknown address, nor by what others know of a payment', async () => {
    const { payments } = test.deps;
    await post(await start(), { method: 'success' });
    const { savedCard, chargeId } = await read();
    if (!savedCard) throw new Error('The card was not saved.');
    await payments.charge({
      reference: 'wk-r-1-1-1',
      providerId: null,
      amount: 7900,
      currency: 'ZAR',
      description: 'Premium for a month',
      savedCard,
      storeProviderId: () => Promise.resolve(),
    });
    for (const id of ['pay_1', 'wk-1', 'wk-r-1-1-1', chargeId]) {
      const path = `/sandbox/checkout/${id}`;
      expect([id, (await test.app.inject(path)).statusCode]).toEqual([id, 404]);
      expect([id, (await post(path, { method: 'success' })).statusCode]).toEqual([id, 404]);
    }
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
      payload: 'method=success',
    });
    expect(answer.statusCode).toBe(403);
    expect((await read()).status).toBe('open');
  });
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

it('looks for due payments once in every shortened day', async () => {
  const short = await createTestApp({ env: { SANDBOX_MONTH_SECONDS: '4' } });
  try {
    const { db } = short.deps.database;
    const now = short.clock.now();
    const job = { lane: 'payments', maxAttempts: 1, encode: () => '{}' } as const;
    const enqueueAt = (name: string) =>
      enqueue(db, { ...job, name }, {}, { now, runAt: now + HOUR, uniqueKey: `schedule:${name}` });
    const names = ['dun', 'renew-due', 'settle-asked', 'watch-account'];
    for (const name of names) await enqueueAt(name);
    const listDue = async () => {
      const rows = await db.selectFrom('jobs').select('name').where('run_at', '<=', now).execute();
      return rows.map(({ name }) => name).toSorted();
    };
    expect(await listDue()).toEqual([]);
    await short.app.listen({ host: '127.0.0.1', port: 0 });
    await expect.poll(listDue).toEqual(['dun', 'renew-due', 'settle-asked']);
  } finally {
    await short.close();
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

  const listKinds = (received: readonly Received[]) =>
    received.map(({ body }) => (JSON.parse(body.toString()) as { kind: string }).kind);

  it('arrive over HTTP, signed, until they are accepted', async () => {
    const { received, close } = await receive([500]);
    try {
      await post(await start(), { method: 'success' });
      await test.worker.runDue();
      expect(received).toHaveLength(1);
      test.clock.advance(10_000);
      await test.worker.runDue();
      test.clock.advance(60_000);
      await test.worker.runDue();
      expect(received.map(({ url }) => url)).toEqual(Array(2).fill('/api/webhooks/sandbox'));
      const [first, second] = received;
      expect(second?.body).toEqual(first?.body);
      const reference = await test.deps.payments.parseWebhook(
        second?.headers ?? {},
        second?.body ?? Buffer.alloc(0),
      );
      expect(reference).toBe('wk-1');
      expect(await test.sandbox.drainWebhooks()).toEqual([]);
    } finally {
      await close();
    }
  });

  it('come by themselves when a bank decides, a page expires or a dispute isn’t answered', async () => {
    const { received, close } = await receive([]);
    const sandbox = openSandbox(test.deps, sandboxWork);
    try {
      await post(await start({ savesCard: false }), { method: 'eft-later' });
      await sandbox.payments.startPayment(buildRequest({ reference: 'wk-left' }));
      await test.worker.runDue();
      expect(listKinds(received)).toEqual(['payment.pending']);
      test.clock.advance(HOUR);
      await test.worker.runDue();
      expect(listKinds(received)).toEqual(['payment.pending', 'payment.paid']);
      await sandbox.dispute('wk-1');
      await test.worker.runDue();
      test.clock.advance(2 * DAY);
      await test.worker.runDue();
      expect(listKinds(received).toSorted()).toEqual([
        'dispute.lost',
        'dispute.opened',
        'payment.failed',
        'payment.paid',
        'payment.pending',
      ]);
      expect((await read()).dispute?.state).toBe('lost');
    } finally {
      await close();
    }
  });
});
