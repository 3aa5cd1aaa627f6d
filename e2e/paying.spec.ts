import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { request, type BrowserContext, type Page } from '@playwright/test';
import { eventSchemas } from '#contract/analytics.ts';
import { golden } from './e2e-tracks.ts';
import type { SiteSettings } from '#contract/settings.ts';
import { DEMO_PASSWORD, expect, newAccount } from './fixtures.ts';
import { test, type OwnServer } from './own-server.ts';
import { bar, inBar, playFromHome, seekBar } from './player-page.ts';
import { watchSentEvents } from './sent-events.ts';
import { expectSilence, expectSound, soundFile, soundTime, watchSound } from './sound.ts';

test.use({ viewport: { width: 1440, height: 900 } });

/** The preview of this mix is cut from its tenth second, and lasts for twenty. */
const NEXT_SECOND = golden.previewStart + 20;

const main = (page: Page) => page.getByRole('main');
const panel = (page: Page) =>
  page.getByRole('complementary').getByRole('region', { name: 'Subscription' });
const headerUpgrade = (page: Page) =>
  page.getByRole('banner').getByRole('link', { name: 'Upgrade to Premium' });

async function endPreview(page: Page): Promise<void> {
  await playFromHome(page, golden.title);
  await expectSound(page);
  await seekBar(page).press('End');
  await expect(page.getByRole('dialog', { name: 'Unlock Premium Downloads' })).toBeVisible();
}

async function hearPreview(page: Page): Promise<void> {
  await playFromHome(page, golden.title);
  await expectSound(page);
  for (let i = 0; i < 3; i++) await seekBar(page).press('ArrowRight');
  await expect(page.getByRole('dialog', { name: 'Unlock Premium Downloads' })).toBeVisible({
    timeout: 20_000,
  });
  await expectSilence(page);
}

const payWith = async (page: Page, card: string): Promise<void> => {
  await page.getByLabel(card).check();
  await page.getByRole('button', { name: 'Pay with this card' }).click();
};

async function openWatched(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await watchSound(page);
  return page;
}

test.describe('who pays at the end of a preview', () => {
  test.use({ hasAnalytics: true });

  test('hears the next second of the same mix, in every tab, and is told of once', async ({
    page,
    context,
    registerByApi,
    problems,
  }) => {
    test.slow();
    problems.expect(/402 .*\/sandbox\/checkout\//);
    problems.expect(/^console: .*402.* \/sandbox\/checkout\//);
    const account = newAccount();
    await registerByApi(account);
    const sent = watchSentEvents(context);
    const other = await openWatched(context);
    await endPreview(other);

    await watchSound(page);
    await hearPreview(page);
    await page.getByRole('dialog').getByRole('link', { name: 'Upgrade to Premium' }).click();
    await expect(page).toHaveURL('/subscription');
    await expect(main(page).getByText(/^You pay R79 today, then R79 every month/)).toBeVisible();
    await main(page).getByRole('button', { name: 'Upgrade to Premium' }).dblclick();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
    await payWith(page, 'A card without enough money');
    await expect(page.getByRole('alert')).toContainText('not enough money');
    await payWith(page, 'A card that works');

    await page.waitForURL(/\/subscription-success\?reference=/);
    const returnedAt = Date.now();
    await expect
      .poll(() => soundTime(page), { intervals: [50] })
      .toBeGreaterThanOrEqual(NEXT_SECOND);
    const waited = (Date.now() - returnedAt) / 1000;
    expect(await soundTime(page)).toBeLessThan(NEXT_SECOND + waited + 1);
    expect(await soundFile(page)).toContain(`/media/tracks/${golden.id}/stream`);
    await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
    await expect(main(page).getByText('Going on from 0:30, in full')).toBeVisible();
    await expect(panel(page)).toContainText('Full access to all content');

    await test.step('the other tab', async () => {
      await expect(other.getByRole('dialog')).toHaveCount(0);
      await expect(panel(other)).toContainText('Premium');
      await expect(headerUpgrade(other)).toHaveCount(0);
      await expect(seekBar(other)).toHaveAttribute('aria-valuetext', '0:30 of 1:00');
      await inBar(other, 'Play').click();
      await expect.poll(() => soundTime(other)).toBeGreaterThanOrEqual(NEXT_SECOND);
      expect(await soundFile(other)).toContain(`/media/tracks/${golden.id}/stream`);
      await expectSilence(page);
    });

    const told = () => sent.filter(({ event }) => event.startsWith('subscribe-'));
    await expect.poll(told).toHaveLength(1);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
    await expect(bar(page)).toBeVisible();
    await page.goto('about:blank');
    expect(told()).toHaveLength(1);
    expect(told()[0]?.event).toBe('subscribe-monthly');
    const { success } = eventSchemas['subscribe-monthly'].safeParse(told()[0]?.properties);
    expect(success).toBe(true);
    expect(told()[0]?.properties).toMatchObject({
      plan_type: 'monthly',
      amount: 79,
      currency: 'ZAR',
      payment_method: 'card',
    });
  });
});

/** Resolves as soon as the text is on the page, however shortly it stays. */
const whenShown = (page: Page, text: string): Promise<string> =>
  page.evaluate(
    (wanted) =>
      new Promise<string>((resolve) => {
        const look = () => {
          const said = document.querySelector('main')?.textContent ?? '';
          if (said.includes(wanted)) resolve(said);
        };
        new MutationObserver(look).observe(document.body, {
          childList: true,
          subtree: true,
          characterData: true,
        });
        look();
      }),
    text,
  );

test('a code says what is paid before it is; then cancelled, resumed, changed, with another card', async ({
  page,
  api,
  registerByApi,
  problems,
}) => {
  problems.expect(/402 .*\/sandbox\/checkout\//);
  problems.expect(/^console: .*402.* \/sandbox\/checkout\//);
  const account = newAccount();
  await registerByApi(account);
  const code = `HALF${account.username.slice(-8)}`.toUpperCase();
  const admin = await api('admin');
  const limits = { plans: ['annual'], maxUses: 1, startsAt: null, endsAt: null };
  const data = { code, kind: 'percent', percent: 50, ...limits };
  expect((await admin.post('/api/admin/coupons', { data })).ok()).toBe(true);

  await test.step('the amount is said before, here and on the page of the provider', async () => {
    await page.goto('/pricing');
    await main(page).getByRole('radio', { name: 'Annual' }).check();
    await main(page).getByRole('button', { name: 'I have a code' }).click();
    await main(page).getByLabel('Code').fill(code);
    await main(page).getByRole('button', { name: 'Apply' }).click();
    await expect(main(page).getByText('50% off the first payment')).toBeVisible();
    await expect(main(page).getByText(/^You pay R395 today, then R790 every year/)).toBeVisible();
    await main(page).getByRole('button', { name: 'Upgrade to Premium' }).click();
    await expect(page.locator('.due')).toHaveText('Due todayR395');
  });

  await test.step('the bank asks first: refused, and then confirmed', async () => {
    await payWith(page, 'A card whose bank asks first');
    await page.getByRole('button', { name: 'No, decline it' }).click();
    await expect(page.getByRole('alert')).toContainText('not confirmed with the bank');
    await payWith(page, 'A card whose bank asks first');
    await page.getByRole('button', { name: 'Yes, confirm the payment' }).click();
    await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
    await main(page).getByRole('link', { name: 'Your subscription' }).click();
  });

  const plan = main(page).getByRole('region', { name: 'Plan' });
  const next = main(page).getByRole('region', { name: 'Next payment' });
  await test.step('cancelled, with access to its end', async () => {
    await expect(plan).toContainText('Annual. It renews by itself.');
    await expect(next).toContainText('R790');
    await main(page).getByRole('button', { name: 'Cancel subscription' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel subscription' });
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Choose a reason first.');
    await dialog.getByLabel('It costs too much').check();
    await dialog.getByLabel(/^Anything to add/).fill('Back in summer.');
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(plan).toContainText(/^PlanPremiumCancelled\. Full access stays until/);
    await expect(panel(page)).toContainText('Full access to all content');
  });

  await test.step('resumed, and changed with the amount said before', async () => {
    await main(page).getByRole('button', { name: 'Resume' }).click();
    await expect(plan).toContainText('It renews by itself.');
    await main(page).getByRole('button', { name: 'Change to monthly' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change to monthly' });
    await expect(dialog).toContainText(
      /You pay nothing now\. On .+ you pay R79, and then R79 every month\./,
    );
    await dialog.getByRole('button', { name: 'Change to monthly' }).click();
    await expect(dialog).toBeHidden();
    await expect(plan).toContainText('Annual, and monthly from');
    await expect(next).toContainText('R79');
  });

  await test.step('the card is replaced on the page of the provider', async () => {
    await expect(main(page).getByText(/^Mastercard ending in 3220/)).toBeVisible();
    await main(page).getByRole('button', { name: 'Update card' }).click();
    await expect(page.getByRole('heading', { name: 'Replace your card' })).toBeVisible();
    await page.getByLabel('A card that works').check();
    await page.getByRole('button', { name: 'Use this card' }).click();
    await expect(page).toHaveURL('/subscription');
    await expect(main(page).getByText(/^Visa ending in 4242/)).toBeVisible();
  });

  await test.step('what was paid stays in the books', async () => {
    await main(page)
      .getByRole('link', { name: /^\d+ \w+ \d{4}/ })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Invoice' })).toBeVisible();
    await expect(main(page).getByRole('row', { name: /Premium, annual/ })).toContainText('R395');
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('complementary')).toBeHidden();
    await expect(page.getByRole('banner').first()).toBeHidden();
  });
});

/** A setting of the whole site: others, who pay at once, must not meet it. */
async function changeSettings(
  origin: string,
  values: Partial<SiteSettings['values']>,
): Promise<void> {
  const admin = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  const login = { username: 'admin', password: DEMO_PASSWORD };
  expect((await admin.post('/api/auth/login', { data: login })).ok()).toBe(true);
  const { version } = (await (await admin.get('/api/admin/settings')).json()) as SiteSettings;
  const data = { version, values };
  expect((await admin.patch('/api/admin/settings', { data })).ok()).toBe(true);
  await admin.dispose();
}

const TONE = join(import.meta.dirname, '../server/ports/media/testing/fixtures/tone.mp3');

const addMix = ({ dataDir, withDatabase }: OwnServer): void =>
  withDatabase((database) => {
    database.exec(`insert into tracks (id, title, year, week, description, duration_ms, chapters,
        status, progress, is_subscriber_only, publish_at, play_count, created_at, updated_at)
      values ('mix', 'A mix', 2026, 40, '', 60000, '[]', 'ready', 100, 0, 0, 0, 0, 0)`);
    mkdirSync(join(dataDir, 'files', 'tracks'), { recursive: true });
    for (const kind of ['stream', 'preview']) {
      const key = `tracks/mix-${kind}.mp3`;
      copyFileSync(TONE, join(dataDir, 'files', key));
      database.exec(`insert into renditions (track_id, name, key, size, media_type)
        values ('mix', '${kind}', '${key}', ${statSync(TONE).size}, 'audio/mpeg')`);
    }
  });

async function registerAt(origin: string, context: BrowserContext): Promise<void> {
  const data = { ...newAccount(), isSubscriber: false };
  const headers = { origin };
  const answer = await context.request.post(`${origin}/api/auth/register`, { data, headers });
  expect(answer.ok(), await answer.text()).toBe(true);
}

test('a renewal fails, the notice shows, the days of grace end, and so does the access', async ({
  page,
  context,
  ownServer,
}) => {
  const { origin } = ownServer;
  addMix(ownServer);
  // Two months of seconds: long enough to be seen also on a busy machine.
  await changeSettings(origin, { graceDays: 60 });
  await registerAt(origin, context);
  await page.goto(`${origin}/pricing`);
  await main(page).getByRole('button', { name: 'Upgrade to Premium' }).click();
  await payWith(page, 'A card that pays once');
  await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
  await page.goto(`${origin}/subscription`);
  const late = whenShown(page, 'Your payment did not go through');
  const listening = await openWatched(context);
  await listening.goto(`${origin}/track/mix`);
  expect(await late).toMatch(/not enough money.*Premium stays on until .*Update card/);
  await expect(main(page).getByText(/^Your subscription has ended/)).toBeVisible({
    timeout: 20_000,
  });
  for (const tab of [page, listening]) {
    await expect(panel(tab)).toContainText('Free');
    await expect(headerUpgrade(tab)).toBeVisible();
  }
  await expect(main(listening).getByRole('button', { name: 'Play preview' })).toBeVisible();
});

test('a trial gives everything at once, says when it ends, and becomes a paid month', async ({
  page,
  context,
  ownServer,
}) => {
  const { origin } = ownServer;
  addMix(ownServer);
  await changeSettings(origin, { trialDays: 60 });
  await registerAt(origin, context);
  const readAccess = async () => {
    const answer = await context.request.get(`${origin}/api/tracks/mix`);
    return ((await answer.json()) as { access: string }).access;
  };
  expect(await readAccess()).toBe('preview');

  const watching = await context.newPage();
  await watching.goto(`${origin}/subscription`);
  await expect(panel(watching)).toContainText('Free');
  const trial = whenShown(watching, 'Monthly, free until ');
  await page.goto(`${origin}/pricing`);
  await expect(
    main(page).getByText(
      /^You pay nothing today\. From .+ it is R79 every month\. Cancel before then and you pay nothing\.$/,
    ),
  ).toBeVisible();
  await main(page).getByRole('button', { name: 'Start 60 free days' }).click();
  await expect(page.locator('.due')).toHaveText('Due todayR0');
  await payWith(page, 'A card that works');
  await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
  expect(await readAccess()).toBe('full');
  expect(await trial).toMatch(/Monthly, free until \d.*Next payment.*R79/);

  await expect(main(watching).getByText('Monthly. It renews by itself.')).toBeVisible({
    timeout: 20_000,
  });
  const invoices = main(watching).getByRole('list', { name: 'Invoices' });
  await expect(invoices.getByRole('listitem').first()).toContainText('R79');
  await expect(panel(watching)).toContainText('Full access to all content');
});

/** As a phone does: sound only after the page was touched, and every page anew. */
const refuseUntouched = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    let isTouched = false;
    window.addEventListener('pointerdown', () => (isTouched = true), { capture: true });
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      if (isTouched) return play.call(this);
      return Promise.reject(new DOMException('The page was not touched.', 'NotAllowedError'));
    };
  });

test('a gift is opened after the login; one press goes on where the browser wants one', async ({
  page,
  context,
  api,
  registerByApi,
  problems,
}) => {
  test.slow();
  problems.expect(/^console: Could not start track: /);
  const account = newAccount();
  await registerByApi(account);
  await context.clearCookies();
  const admin = await api('admin');
  const given = await admin.post('/api/admin/gifts', { data: { months: 2, from: 'Lerato' } });
  const { url } = (await given.json()) as { url: string };
  await refuseUntouched(page);
  await watchSound(page);

  await test.step('the link waits for the login, and is not used up by it', async () => {
    await page.goto(url);
    await expect(page).toHaveURL(/\/login\?next=%2Fgift%2F/);
    await main(page)
      .getByLabel(/^username/i)
      .fill(account.username);
    await main(page).getByLabel('Password', { exact: true }).fill(account.password);
    await main(page).getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'A gift for you' })).toBeVisible();
    await expect(main(page).getByText(/^Lerato gives you 2 months of Premium/)).toBeVisible();
    await expect(panel(page)).toContainText('Free');
  });

  await test.step('going back without paying costs nothing', async () => {
    await endPreview(page);
    await page.keyboard.press('Escape');
    await panel(page).getByRole('link', { name: 'Upgrade to Premium' }).click();
    await main(page).getByRole('radio', { name: 'Annual' }).check();
    await expect(main(page).getByText('Per year. Two months free against monthly.')).toBeVisible();
    await main(page).getByRole('button', { name: 'Upgrade to Premium' }).click();
    await page.getByRole('button', { name: 'Go back without paying' }).click();
    await expect(page).toHaveURL(/\/pricing\?reference=/);
    await expect(main(page).getByText('The payment was not made')).toBeVisible();
  });

  await test.step('paid for a year after the bank has asked', async () => {
    await main(page).getByRole('radio', { name: 'Annual' }).check();
    await main(page).getByRole('button', { name: 'Upgrade to Premium' }).click();
    await payWith(page, 'A card whose bank asks first');
    await page.getByRole('button', { name: 'Yes, confirm the payment' }).click();
    await expect(main(page).getByText('Press play to go on from 0:30')).toBeVisible();
    await expectSilence(page);
    await main(page).getByRole('button', { name: 'Go on from 0:30' }).click();
    await expect.poll(() => soundTime(page)).toBeGreaterThanOrEqual(NEXT_SECOND);
    expect(await soundFile(page)).toContain(`/media/tracks/${golden.id}/stream`);
  });

  await test.step('the gift comes on top, once', async () => {
    await page.goto(url);
    await main(page).getByRole('button', { name: 'Take the gift' }).click();
    await expect(page.getByRole('heading', { name: 'It is yours' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'This gift has been taken' })).toBeVisible();
    await main(page).getByRole('link', { name: 'Your subscription' }).click();
    await expect(main(page).getByRole('region', { name: 'Plan' })).toContainText('Annual');
    await expect(main(page).getByRole('region', { name: 'Next payment' })).toContainText('R790');
  });
});
