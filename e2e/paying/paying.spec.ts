import { request, type BrowserContext, type Page } from '@playwright/test';
import { eventSchemas } from '#contract/analytics.ts';
import { DAY, SECOND } from '#contract/rules/time.ts';
import { golden } from '../support/e2e-tracks.ts';
import type { SiteSettings } from '#contract/admin/settings.ts';
import {
  DEMO_PASSWORD,
  expect,
  newAccount,
  resetRegistrationLimit,
  sendEmptyPages,
} from '../support/fixtures.ts';
import { DEVICES } from '../support/nightly.ts';
import { addMix, test, type OwnServer } from '../support/own-server.ts';
import { payWith, payWith3dSecure } from './payment-page.ts';
import { bar, inBar, playFromHome, seekBar } from '../support/player-page.ts';
import { watchSentEvents } from '../support/sent-events.ts';
import { expectSilence, expectSound, soundFile, soundTime, watchSound } from '../support/sound.ts';

test.use({ viewport: { width: 1440, height: 900 } });

/** The preview of this mix starts at its tenth second. */
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

async function playPreview(page: Page): Promise<void> {
  await playFromHome(page, golden.title);
  await expectSound(page);
  for (let i = 0; i < 3; i++) await seekBar(page).press('ArrowRight');
  await expect(page.getByRole('dialog', { name: 'Unlock Premium Downloads' })).toBeVisible();
  await expectSilence(page);
}

async function openWatched(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await watchSound(page);
  return page;
}

/** Holds back what the server says about the subscription, and lists the checkouts that start. */
async function holdSubscription(page: Page): Promise<{ started: string[]; release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const started: string[] = [];
  page.on('request', (sent) => {
    const { pathname } = new URL(sent.url());
    if (sent.method() === 'POST' && pathname === '/api/checkout') started.push(pathname);
  });
  await sendEmptyPages(page);
  await page.route('**/api/subscription', async (route) => {
    await released;
    await route.continue();
  });
  return { started, release };
}

for (const { size, options } of DEVICES)
  test.describe(`a visitor who chooses a plan on a ${size}`, () => {
    test.use(options);

    test('pays for that plan after registering, or after logging in', async ({
      page,
      context,
      problems,
    }) => {
      problems.expect(/422 .*\/api\/checkout\/quote$/);
      resetRegistrationLimit();
      const account = newAccount();
      await test.step('registers and is at the checkout of the plan', async () => {
        await page.goto('/landing?code=NEVERMIND#plans');
        await page.getByRole('link', { name: 'R790 a year' }).click();
        await expect(
          main(page).getByText(/payment page for Premium \(R790 a year\)/),
        ).toBeVisible();
        await page.goto(page.url().replace('%26code%3DNEVERMIND', ''));
        await main(page).getByLabel('Username', { exact: true }).fill(account.username);
        await main(page).getByLabel('E-mail').fill(account.email);
        await main(page).getByLabel('Password', { exact: true }).fill(account.password);
        const { started, release } = await holdSubscription(page);
        await main(page).getByRole('button', { name: 'Create account' }).click();
        const opening = main(page).getByRole('button', { name: 'Opening the payment page…' });
        await expect(opening).toBeVisible();
        expect(started).toEqual([]);
        release();
        await expect(page).toHaveURL(/\/sandbox\/checkout\//);
        await expect(page.locator('.due')).toHaveText('Due todayR790');
        await expect(page.getByText('The card is saved for later payments.')).toBeVisible();
        await expect(page.getByRole('button', { name: 'Pay with this card' })).toBeInViewport();
        const loadedFonts = () =>
          page.evaluate(() =>
            [...document.fonts].flatMap(({ family, status }) =>
              status === 'loaded' ? family.replaceAll(/["']/g, '') : [],
            ),
          );
        await expect.poll(loadedFonts).toContain('Anybody Variable');
        await expect(page.getByRole('heading', { level: 1 })).toHaveCSS(
          'font-family',
          /^"?Anybody Variable/,
        );
      });

      await test.step('is not sent there again by going back', async () => {
        await page.unroute('**/api/subscription');
        const { started, release } = await holdSubscription(page);
        await page.goBack();
        await expect(page).toHaveURL('/pricing?plan=annual');
        await expect(main(page).getByRole('radio', { name: 'Annual' })).toBeChecked();
        const pay = main(page).getByRole('button', { name: 'Upgrade to Premium' });
        await expect(pay).toBeDisabled();
        await pay.dispatchEvent('click');
        expect(started).toEqual([]);
        release();
        await expect(pay).toBeEnabled();
        await expect(pay).toBeInViewport({ ratio: 1 });
      });

      await test.step('a code that is not valid waits for a decision', async () => {
        // Nothing that this page still asks for may be refused.
        await page.goto('about:blank');
        await context.clearCookies();
        await page.goto('/landing?code=NEVERMIND#plans');
        await page.getByRole('link', { name: 'R79 a month' }).click();
        await main(page).getByRole('link', { name: 'Login' }).click();
        await main(page)
          .getByLabel(/^username/i)
          .fill(account.username);
        await main(page).getByLabel('Password', { exact: true }).fill(account.password);
        await main(page).getByRole('button', { name: 'Login', exact: true }).click();
        await expect(main(page).getByRole('radio', { name: 'Monthly' })).toBeChecked();
        await expect(main(page).getByLabel('Code')).toHaveAttribute('aria-invalid', 'true');
      });
    });
  });

test('a member who already has Premium is sent to the subscription page instead of the checkout', async ({
  page,
  signIn,
}) => {
  await signIn('premium');
  await page.goto('/login?next=%2Fpricing%3Fplan%3Dannual%26checkout%3Dstart');
  await expect(page).toHaveURL('/subscription');
});

test.describe('paying at the end of a preview', () => {
  test.use({ hasAnalytics: true });

  test('continues the mix where the preview stopped, in every tab, and sends one event', async ({
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
    await playPreview(page);
    await page.getByRole('dialog').getByRole('link', { name: 'Upgrade to Premium' }).click();
    await expect(page).toHaveURL('/subscription');
    await expect(main(page).getByText(/^R79 today, then R79 a month/)).toBeVisible();
    await main(page).getByRole('button', { name: 'Upgrade to Premium' }).dblclick();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
    await payWith(page, 'Insufficient funds');
    await expect(page.getByRole('alert')).toContainText('insufficient funds');
    await payWith(page, 'Successful card');

    let reloads = 0;
    await page.waitForURL(/\/subscription-success\?reference=/);
    page.on('request', (asked) => {
      if (asked.isNavigationRequest()) reloads += 1;
    });
    const returnedAt = Date.now();
    await expect
      .poll(() => soundTime(page), { intervals: [50] })
      .toBeGreaterThanOrEqual(NEXT_SECOND);
    const waited = (Date.now() - returnedAt) / 1000;
    expect(await soundTime(page)).toBeLessThan(NEXT_SECOND + waited + 1);
    expect(await soundFile(page)).toContain(`/media/tracks/${golden.id}/stream`);
    await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
    await expect(main(page).getByText('Continuing from 0:30, in full')).toBeVisible();
    await expect(panel(page)).toContainText('Full access to all content');
    expect(reloads).toBe(0);

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

    const subscribeEvents = () => sent.filter(({ event }) => event.startsWith('subscribe-'));
    await expect.poll(subscribeEvents).toHaveLength(1);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
    await expect(bar(page)).toBeVisible();
    await page.goto('about:blank');
    expect(subscribeEvents()).toHaveLength(1);
    expect(subscribeEvents()[0]?.event).toBe('subscribe-monthly');
    const { success } = eventSchemas['subscribe-monthly'].safeParse(
      subscribeEvents()[0]?.properties,
    );
    expect(success).toBe(true);
    expect(subscribeEvents()[0]?.properties).toMatchObject({
      plan_type: 'monthly',
      amount: 79,
      currency: 'ZAR',
      payment_method: 'card',
    });
  });
});

/** Resolves as soon as the text appears, however briefly. */
const whenShown = (page: Page, text: string): Promise<string> =>
  page.evaluate(
    (wanted) =>
      new Promise<string>((resolve) => {
        const look = () => {
          const shown = document.querySelector('main')?.textContent ?? '';
          if (shown.includes(wanted)) resolve(shown);
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

test('a code shows the price before payment; then the plan is cancelled, resumed, changed and the card replaced', async ({
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

  await test.step('the price shows before payment, here and on the provider’s page', async () => {
    await page.goto('/pricing');
    await main(page).getByRole('radio', { name: 'Annual' }).check();
    await main(page).getByRole('button', { name: 'Have a code?' }).click();
    await main(page).getByLabel('Code').fill(code);
    await main(page).getByRole('button', { name: 'Apply' }).click();
    await expect(main(page).getByText('50% off the first payment')).toBeVisible();
    await expect(main(page).getByText(/^R395 today, then R790 a year/)).toBeVisible();
    await main(page).getByRole('button', { name: 'Upgrade to Premium' }).click();
    await expect(page.locator('.due')).toHaveText('Due todayR395');
  });

  await test.step('going back keeps the plan and the code', async () => {
    const leave = page.getByRole('button', { name: 'Go back without paying' });
    for (const goBack of [() => page.goBack(), () => leave.click()]) {
      await goBack();
      await expect(main(page).getByRole('radio', { name: 'Annual' })).toBeChecked();
      await expect(main(page).getByText('50% off the first payment')).toBeVisible();
      await main(page).getByRole('button', { name: 'Upgrade to Premium' }).click();
      await expect(page.locator('.due')).toHaveText('Due todayR395');
    }
  });

  await test.step('3-D Secure: declined, then confirmed', async () => {
    await payWith3dSecure(page, 'Decline');
    await expect(page.getByRole('alert')).toContainText('wasn’t confirmed with your bank');
    await payWith3dSecure(page, 'Approve payment');
    await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
    await main(page).getByRole('link', { name: 'Your subscription' }).click();
  });

  const plan = main(page).getByRole('region', { name: 'Plan' });
  const next = main(page).getByRole('region', { name: 'Next payment' });
  await test.step('cancelled, with access until the end of the period', async () => {
    await expect(plan).toContainText('Annual, renews automatically.');
    await expect(next).toContainText(/R790.*Due \d.* 20\d\d \(annual\)/);
    await main(page).getByRole('button', { name: 'Cancel subscription' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel subscription' });
    await dialog.getByLabel('It’s too expensive').check();
    await dialog.getByLabel(/^Anything to add/).fill('Back in summer.');
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(plan).toContainText(/^PlanPremiumCancelled\. You have full access until/);
    await expect(panel(page)).toContainText('Full access to all content');
  });

  await test.step('undone with one press, and cancelled again', async () => {
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(plan).toContainText('renews automatically.');
    await main(page).getByRole('button', { name: 'Cancel subscription' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel subscription' });
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(plan).toContainText(/^PlanPremiumCancelled\./);
  });

  await test.step('resumed, and changed after showing the price', async () => {
    await main(page).getByRole('button', { name: 'Resume' }).click();
    await expect(plan).toContainText('renews automatically.');
    await main(page).getByRole('button', { name: 'Change to monthly' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change to monthly' });
    await expect(dialog).toContainText(/Nothing to pay now\. From .+ you’ll pay R79 a month\./);
    await dialog.getByRole('button', { name: 'Change to monthly' }).click();
    await expect(dialog).toBeHidden();
    await expect(plan).toContainText('Annual, switching to monthly on');
    await expect(next).toContainText('R79');
  });

  await test.step('the card is replaced on the provider’s page, and the page says so', async () => {
    await expect(main(page).getByText(/^Mastercard ending in 3220/)).toBeVisible();
    await main(page).getByRole('button', { name: 'Update card' }).click();
    await expect(page.locator('.due')).toHaveText('Due todayR1');
    await payWith(page, 'Successful card');
    await expect(page).toHaveURL(/\/subscription\?done=card-check&reference=/);
    const said = main(page).getByRole('status').filter({ hasText: 'Your card is updated' });
    await expect(said).toContainText('From now on we charge your Visa ending in 4242');
    await expect(main(page).getByText(/^Visa ending in 4242/)).toBeVisible();
  });

  await test.step('the invoice shows what was paid', async () => {
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

/** Changes settings of the whole site, so it needs a server of its own. */
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

async function registerAt(origin: string, context: BrowserContext): Promise<void> {
  const data = { ...newAccount(), isSubscriber: false };
  const headers = { origin };
  const answer = await context.request.post(`${origin}/api/auth/register`, { data, headers });
  expect(answer.ok(), await answer.text()).toBe(true);
}

const MONTH = 31 * DAY;

/** As if a month had passed since everything that was paid. The renewal is due since yesterday. */
const passMonth = ({ withDatabase }: OwnServer): void =>
  withDatabase((database) =>
    database.exec(
      `update ledger_entries set at = at - ${MONTH};
       update users set paid_through = paid_through - ${MONTH};
       update subscriptions set next_at = next_at - ${MONTH};
       update jobs set run_at = 0 where name = 'renew-due'`,
    ),
  );

async function openCheckout(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/pricing`);
  await main(page).getByRole('button', { name: 'Upgrade to Premium' }).click();
}

for (const { size, options } of DEVICES)
  test.describe(`a renewal that fails, on a ${size}`, () => {
    test.use({
      ...options,
      settings: async ({}, use) => use(() => ({ SANDBOX_MONTH_SECONDS: String(MONTH / SECOND) })),
    });

    const owed = (page: Page) => main(page).getByRole('region', { name: 'Payment due' });

    test('is paid with another card on one page, which every other page leads to', async ({
      page,
      context,
      ownServer,
      problems,
    }) => {
      problems.expect(/402 .*\/sandbox\/checkout\//);
      problems.expect(/^console: .*402.* \/sandbox\/checkout\//);
      const { origin } = ownServer;
      await registerAt(origin, context);
      await openCheckout(page, origin);
      await payWith(page, 'Fails on first renewal');
      await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
      await page.goto(`${origin}/library`);
      passMonth(ownServer);

      const note = page.getByRole('region', { name: 'Payment due' });
      await expect(note).toContainText('Your last payment didn’t go through.');
      await note.getByRole('link', { name: 'Pay now' }).click();
      await expect(owed(page)).toContainText('R79');
      await expect(owed(page)).toContainText('insufficient funds');
      await expect(owed(page)).toContainText(/Unpaid since\d+ \w+PremiumYou keep it until \d+ \w+/);
      await expect(owed(page)).toContainText(/We try againOn \d+ \w+, with Visa ending in 0341/);
      await expect(owed(page)).toContainText(/Pay by\d+ \w+, or your subscription ends/);
      const pay = main(page).getByRole('button', { name: 'Pay R79 now' });
      await expect(pay).toBeInViewport({ ratio: 1 });

      await test.step('leaving the payment page is explained, and changes nothing', async () => {
        await pay.click();
        await expect(page.locator('.due')).toHaveText('Due todayR79');
        await payWith(page, 'Insufficient funds');
        await page.getByRole('button', { name: 'Go back without paying' }).click();
        await expect(
          main(page).getByRole('alert').filter({ hasText: 'Payment not completed' }),
        ).toBeVisible();
        await expect(owed(page)).toBeVisible();
      });

      await test.step('the card that pays is kept, and nothing is owed', async () => {
        await main(page).getByRole('button', { name: 'Pay R79 now' }).click();
        await payWith(page, 'Successful card');
        const said = main(page).getByRole('status').filter({ hasText: 'Paid, thank you' });
        await expect(said).toContainText(/You have Premium until \d+ \w+/);
        await expect(owed(page)).toHaveCount(0);
        await expect(main(page).getByText('Monthly, renews automatically.')).toBeVisible();
        await expect(main(page).getByText(/^Visa ending in 4242/)).toBeVisible();
        await expect(
          main(page).getByRole('list', { name: 'Invoices' }).getByRole('listitem'),
        ).toHaveCount(2);
        await page.goto(`${origin}/library`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(note).toHaveCount(0);
      });
    });

    test('is confirmed by the member where the bank asks for it, and can be cancelled', async ({
      page,
      context,
      ownServer,
    }) => {
      const { origin } = ownServer;
      await registerAt(origin, context);
      await openCheckout(page, origin);
      await payWith3dSecure(page, 'Approve payment', '3‑D Secure every time');
      await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
      passMonth(ownServer);
      await page.goto(`${origin}/subscription`);
      const confirm = main(page).getByRole('button', { name: 'Confirm the payment' });
      await expect(confirm).toBeVisible();
      await expect(owed(page)).toContainText('Your bank wants you to confirm this payment.');
      await confirm.click();
      await payWith3dSecure(page, 'Approve payment', '3‑D Secure every time');
      await expect(main(page).getByText('Paid, thank you')).toBeVisible();

      passMonth(ownServer);
      await expect(confirm).toBeVisible();
      await main(page).getByRole('button', { name: 'Cancel subscription' }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel subscription' });
      await expect(dialog).toContainText('We won’t charge anything more.');
      await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
      await expect(owed(page)).toHaveCount(0);
      await expect(main(page).getByText(/^Cancelled\. You have full access until/)).toBeVisible();
    });
  });

test('a trial gives full access immediately, shows when it ends and becomes a paid month', async ({
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
      /^Free today, then R79 a month from .+\. We check your card with R1, which goes straight back\. Cancel before then and you won’t pay anything\.$/,
    ),
  ).toBeVisible();
  await main(page).getByRole('button', { name: 'Start 60-day free trial' }).click();
  await expect(page.locator('.due')).toHaveText('Due todayR1');
  await payWith(page, 'Successful card');
  await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
  expect(await readAccess()).toBe('full');
  expect(await trial).toMatch(/Monthly, free until \d.*First payment.*R79/);

  await expect(main(watching).getByText('Monthly, renews automatically.')).toBeVisible();
  const invoices = main(watching).getByRole('list', { name: 'Invoices' });
  await expect(invoices.getByRole('listitem').first()).toContainText('R79');
  await expect(panel(watching)).toContainText('Full access to all content');
});

test('a plan bought during a gift is paid for when the gift ends', async ({
  page,
  api,
  registerByApi,
}) => {
  await registerByApi(newAccount());
  const admin = await api('admin');
  const given = await admin.post('/api/admin/gifts', { data: { months: 2, from: 'Lerato' } });
  const { url } = (await given.json()) as { url: string };
  await page.goto(url);
  await main(page).getByRole('button', { name: 'Claim gift' }).click();
  await expect(page.getByRole('heading', { name: 'It’s yours' })).toBeVisible();

  await page.goto('/pricing');
  await expect(
    main(page).getByText(
      /^Nothing to pay while the time you have lasts, then R79 a month from \d.+ We check your card with R1, which goes straight back\./,
    ),
  ).toBeVisible();
  await main(page)
    .getByRole('button', { name: /^Keep Premium after \d+ \w+/ })
    .click();
  await expect(page.locator('.due')).toHaveText('Due todayR1');
  await payWith(page, 'Successful card');
  await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
  await expect(main(page).getByText(/^R79 on \d+ \w+/)).toBeVisible();
  await main(page).getByRole('link', { name: 'Your subscription' }).click();
  await expect(main(page).getByRole('region', { name: 'First payment' })).toContainText('R79');
  await expect(main(page).getByText('Invoices for your payments will appear here.')).toBeVisible();
});

/** Blocks autoplay until the page is touched, as phones do. */
const blockAutoplay = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    let isTouched = false;
    window.addEventListener('pointerdown', () => (isTouched = true), { capture: true });
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      if (isTouched) return play.call(this);
      return Promise.reject(new DOMException('The page was not touched.', 'NotAllowedError'));
    };
  });

test('a gift survives the login; one press continues the mix if the browser blocks autoplay', async ({
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
  await blockAutoplay(page);
  await watchSound(page);

  await test.step('the link survives the login and is not used up by it', async () => {
    await page.goto(url);
    await expect(page).toHaveURL(/\/login\?next=%2Fgift%2F/);
    await main(page)
      .getByLabel(/^username/i)
      .fill(account.username);
    await main(page).getByLabel('Password', { exact: true }).fill(account.password);
    await main(page).getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'A gift for you' })).toBeVisible();
    await expect(main(page).getByText(/^Lerato has given you 2 months of Premium/)).toBeVisible();
    await expect(panel(page)).toContainText('Free');
  });

  await test.step('going back without paying charges nothing', async () => {
    await endPreview(page);
    await page.getByRole('button', { name: 'Maybe Later' }).click();
    await panel(page).getByRole('link', { name: 'Upgrade to Premium' }).click();
    await main(page).getByRole('radio', { name: 'Annual' }).check();
    await expect(
      main(page).getByText('Per year. Two months free compared with monthly.'),
    ).toBeVisible();
    await main(page).getByRole('button', { name: 'Upgrade to Premium' }).click();
    await page.getByRole('button', { name: 'Go back without paying' }).click();
    await expect(page).toHaveURL(/\/pricing\?plan=annual&reference=/);
    await expect(main(page).getByText('Payment not completed')).toBeVisible();
  });

  await test.step('paid for a year with 3-D Secure', async () => {
    await main(page).getByRole('radio', { name: 'Annual' }).check();
    await main(page).getByRole('button', { name: 'Upgrade to Premium' }).click();
    await payWith3dSecure(page, 'Approve payment');
    await expect(main(page).getByText('Press play to continue from 0:30')).toBeVisible();
    await expectSilence(page);
    await main(page).getByRole('button', { name: 'Continue from 0:30' }).click();
    await expect.poll(() => soundTime(page)).toBeGreaterThanOrEqual(NEXT_SECOND);
    expect(await soundFile(page)).toContain(`/media/tracks/${golden.id}/stream`);
  });

  await test.step('the gift adds to the subscription, once', async () => {
    await page.goto(url);
    await main(page).getByRole('button', { name: 'Claim gift' }).click();
    await expect(page.getByRole('heading', { name: 'It’s yours' })).toBeVisible();
    await page.reload();
    await expect(
      page.getByRole('heading', { name: 'This gift has already been claimed' }),
    ).toBeVisible();
    await main(page).getByRole('link', { name: 'Your subscription' }).click();
    await expect(main(page).getByRole('region', { name: 'Plan' })).toContainText('Annual');
    await expect(main(page).getByRole('region', { name: 'Next payment' })).toContainText('R790');
  });
});
