import type { Page } from '@playwright/test';
import type { Subscription } from '#contract/billing.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { expect, test as base } from '../support/fixtures.ts';
import { startClockedSite } from './clocked-site.ts';
import { payByBank } from './payment-page.ts';

const START = Date.UTC(2027, 0, 15, 10);

type SandboxSite = Awaited<ReturnType<typeof startSandboxSite>>;

async function startSandboxSite() {
  let time = START;
  const clock = { now: () => time };
  const site = await startClockedSite({ clock, settings: { PAYMENTS: 'sandbox' } });
  return {
    ...site,
    now: clock.now,
    /** Time passes, everything that is due runs, and nobody is logged out. */
    passTo: async (to: number) => {
      time = to;
      await site.keepSessions();
      await site.verifyEmails();
      await site.runJobs();
    },
  };
}

const test = base.extend<{ site: SandboxSite }>({
  site: async ({ context }, use) => {
    const site = await startSandboxSite();
    await use(site);
    // An open page would report that the server is gone.
    await context.close();
    await site.close();
    expect(site.errors(), 'errors in the server log').toEqual([]);
  },
});

const main = (page: Page) => page.getByRole('main');

async function register(page: Page, { origin }: SandboxSite, username: string) {
  const email = `${username}@example.com`;
  const data = { username, email, password: 'correct-horse-7', isSubscriber: false };
  const answer = await page
    .context()
    .request.post(`${origin}/api/auth/register`, { data, headers: { origin } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

const passTo = async (page: Page, site: SandboxSite, time: number) => {
  await site.passTo(time);
  await page.context().clock.setFixedTime(site.now());
};

const readPaidThrough = async (page: Page, { origin }: SandboxSite) => {
  const answer = await page.context().request.get(`${origin}/api/subscription`);
  const subscription = (await answer.json()) as Subscription;
  expect(subscription.renews).toBe(false);
  return subscription.paidThrough;
};

const readStream = async (page: Page, { origin, trackId }: SandboxSite) =>
  (await page.context().request.get(`${origin}/media/tracks/${trackId}/stream`)).status();

test('a year of somebody who pays by EFT every three months', async ({ site, page }) => {
  test.slow();
  await register(page, site, 'thandi');
  await passTo(page, site, START);
  site.takeMails();

  await test.step('January: the bank takes an hour, and the page may be closed', async () => {
    await page.goto(`${site.origin}/pricing`);
    await main(page).getByRole('button', { name: 'Pay once for 3 months' }).click();
    await payByBank(page, 'EFT that takes an hour');
    await expect(
      page.getByRole('heading', { name: 'Your bank says it’s on its way' }),
    ).toBeVisible();
    expect(await readStream(page, site)).toBe(403);
    await passTo(page, site, START + 2 * HOUR);
    await page.goto(`${site.origin}/subscription`);
    await expect(main(page)).toContainText('15 April');
    expect(await readStream(page, site)).toBe(200);
    expect(site.takeMails().map(({ subject }) => subject)).toEqual([
      'Your receipt from Weekender: R237',
    ]);
  });

  for (const [month, name] of [
    [3, '15 April 2027'],
    [6, '15 July 2027'],
    [9, '15 October 2027'],
  ] as const)
    await test.step(`before ${name}: a mail and a notice offer the next, one tap`, async () => {
      await passTo(page, site, Date.UTC(2027, month, 15, 10) - 5 * DAY);
      const [mail, ...others] = site.takeMails();
      expect(others).toEqual([]);
      expect(mail?.subject).toBe(`Your Weekender Premium ends on ${name}`);
      expect(mail?.text).toContain(`${site.origin}/pricing?pay=3`);
      if (month === 6) await page.goto(`${site.origin}/pricing?pay=3`);
      else {
        await page.goto(`${site.origin}/subscription`);
        await main(page).getByRole('button', { name: 'Pay R237 for 3 months' }).click();
      }
      await payByBank(page, 'Instant EFT');
      await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
      await passTo(page, site, site.now());
      const end = Date.UTC(2027, month + 3, 15, 10);
      expect(await readPaidThrough(page, site)).toBeGreaterThanOrEqual(end);
      expect(site.takeMails().map(({ subject }) => subject)).toEqual([
        'Your receipt from Weekender: R237',
      ]);
    });

  await test.step('January: nothing renews', async () => {
    await passTo(page, site, Date.UTC(2028, 0, 20, 10));
    expect(await readStream(page, site)).toBe(403);
    await page.goto(`${site.origin}/subscription`);
    await expect(main(page)).toContainText('Your subscription has ended.');
    const invoices = await page.context().request.get(`${site.origin}/api/subscription/invoices`);
    expect(((await invoices.json()) as { items: { amount: number }[] }).items).toMatchObject(
      Array.from({ length: 4 }, () => ({ amount: 237_00 })),
    );
  });
});

test('a visitor gives three months, mailed on a day, and the recipient claims them', async ({
  site,
  page,
  browser,
  problems,
}) => {
  test.slow();
  await page.context().clock.setFixedTime(site.now());
  await page.goto(`${site.origin}/give`);
  const form = main(page);
  await form.getByLabel('From').fill('Ayanda <b>');
  await form.getByLabel('A few words').fill('For the long drives.');
  await form.getByText('By e-mail, on a day').click();
  await form.getByLabel('Their e-mail address').fill('thandi@example.com');
  await form.getByLabel('Day', { exact: true }).fill('2027-02-14');
  await form.getByLabel('Your e-mail address').fill('ayanda');
  await form.getByRole('button', { name: 'Pay R237' }).click();
  await expect(form).toContainText('Enter an e-mail address like name@example.com.');
  await form.getByLabel('Your e-mail address').fill('ayanda@example.com');
  await form.getByRole('button', { name: 'Pay R237' }).click();
  await payByBank(page, 'Capitec Pay');
  await expect(page.getByRole('heading', { name: 'It’s ready to give' })).toBeVisible();
  await expect(main(page)).toContainText('on the morning of 14 February 2027');
  await passTo(page, site, START);
  expect(site.takeMails().map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
    'ayanda@example.com: Your gift of Weekender Premium: 3 months',
  ]);
  await main(page).getByRole('link', { name: 'Invoice' }).click();
  await expect(main(page)).toContainText('Premium as a gift, 3 months');

  await passTo(page, site, Date.UTC(2027, 1, 14, 7));
  const [mail] = site.takeMails();
  expect(mail).toMatchObject({
    to: 'thandi@example.com',
    subject: 'Ayanda <b> gave you 3 months of Weekender Premium',
  });
  const link = /https?:\S+\/gift\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';

  const context = await browser.newContext();
  await context.clock.setFixedTime(site.now());
  const thandi = await context.newPage();
  problems.watch(thandi);
  await register(thandi, site, 'thandi');
  await thandi.goto(link);
  await expect(main(thandi)).toContainText('For the long drives.');
  await main(thandi).getByRole('button', { name: 'Claim gift' }).click();
  await expect(thandi.getByRole('heading', { name: 'It’s yours' })).toBeVisible();
  expect(await readStream(thandi, site)).toBe(200);
  expect(await readPaidThrough(thandi, site)).toBe(Date.UTC(2027, 4, 14, 7));
  await context.close();
});
