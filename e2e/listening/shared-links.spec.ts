import type { Page } from '@playwright/test';
import { payWith } from '../paying/payment-page.ts';
import { expectAccessible } from '../support/axe.ts';
import { atBothWidths } from '../support/both-widths.ts';
import { golden } from '../support/e2e-tracks.ts';
import {
  expect,
  newAccount,
  resetRegistrationLimit,
  subscribe,
  test,
  type Account,
} from '../support/fixtures.ts';
import { bar, seekBar } from '../support/player-page.ts';
import { expectSilence, expectSound, soundFile, soundTime, watchSound } from '../support/sound.ts';

const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 320, height: 568 };
const DESKTOP = { width: 1440, height: 900 };

const MIX = `/track/${golden.id}`;
const main = (page: Page) => page.getByRole('main');
const play = (page: Page) => main(page).getByRole('button', { name: 'Play preview' });

/** The audio, and the calls of the API about mixes, that a page asks for. */
function watchRequests(page: Page): Set<string> {
  const asked = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(?:media\/tracks|api\/(?:tracks|plans|artists|shared))/.test(pathname))
      asked.add(pathname);
  });
  return asked;
}

async function logIn(page: Page, account: Account): Promise<void> {
  await main(page).getByLabel('Username or e-mail').fill(account.username);
  await main(page).getByLabel('Password', { exact: true }).fill(account.password);
  await main(page).getByRole('button', { name: 'Login', exact: true }).click();
}

async function register(page: Page, account: Account): Promise<void> {
  resetRegistrationLimit();
  await main(page).getByLabel('Username').fill(account.username);
  await main(page)
    .getByLabel(/^e-?mail$/i)
    .fill(account.email);
  await main(page).getByLabel('Password', { exact: true }).fill(account.password);
  await main(page).getByRole('button', { name: 'Create account' }).click();
}

test('a stranger on a phone hears the mix behind a link; a subscriber continues where the preview ended', async ({
  page,
  context,
  registerByApi,
}) => {
  const account = newAccount();
  await registerByApi(account);
  subscribe(account);
  await context.clearCookies();
  await watchSound(page);
  await page.setViewportSize(PHONE);
  const asked = watchRequests(page);

  await page.goto(`${MIX}?t=15`);
  await expect(page).toHaveURL(`/login?next=${encodeURIComponent(`${MIX}?t=15`)}`);
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText(golden.title);
  await expect(main(page).getByText('Hear the other 40 seconds')).toBeVisible();
  await atBothWidths(page, () => expect(play(page)).toBeInViewport({ ratio: 1 }));
  await page.setViewportSize(SMALL_PHONE);
  await expect(play(page)).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(PHONE);
  // It came with the page; the tap asks for the preview and nothing else.
  expect([...asked]).toEqual([]);

  await play(page).click();
  await expectSound(page);
  expect(await soundTime(page)).toBeGreaterThanOrEqual(15 - golden.previewStart);
  await expect(page).toHaveURL(`/login?next=${encodeURIComponent(MIX)}`);
  await expectAccessible(page, 'a shared mix that plays');
  await main(page).getByRole('slider', { name: 'Seek' }).press('End');
  const dialog = page.getByRole('dialog', { name: 'Register and Subscribe to Premium' });
  await dialog.getByRole('button', { name: 'Continue as Guest' }).click();
  await expectSilence(page);
  expect([...asked].filter((path) => path.startsWith('/media/'))).toEqual([
    `/media/tracks/${golden.id}/preview`,
  ]);

  await logIn(page, account);
  await expect(page).toHaveURL(MIX);
  await expect.poll(() => soundTime(page)).toBeGreaterThanOrEqual(golden.previewStart + 20);
  expect(await soundFile(page)).toContain(`/media/tracks/${golden.id}/stream`);
  await atBothWidths(page, () => expect(bar(page)).toBeVisible());
});

test('a stranger who registers on a phone lands on the mix, and its preview plays on', async ({
  page,
}) => {
  await watchSound(page);
  await page.setViewportSize(PHONE);
  await page.goto(MIX);
  await play(page).click();
  await expectSound(page);
  await main(page).getByRole('link', { name: 'Create a free account' }).click();
  await expect(page).toHaveURL(`/register?next=${encodeURIComponent(MIX)}`);
  const heard = (await soundTime(page)) ?? 0;
  await register(page, newAccount());
  await expect(page).toHaveURL(MIX);
  await expect.poll(() => soundTime(page)).toBeGreaterThan(heard);
  expect(await soundFile(page)).toContain(`/media/tracks/${golden.id}/preview`);
  await main(page).getByRole('slider', { name: 'Seek' }).press('End');
  await expect(page.getByRole('dialog', { name: 'Unlock Premium Downloads' })).toBeVisible();
  await expectSilence(page);
});

test('a free member’s preview plays on after logging in, a new subscriber’s mix after paying', async ({
  page,
  context,
  registerByApi,
}) => {
  const free = newAccount();
  await registerByApi(free);
  await context.clearCookies();
  await watchSound(page);
  await page.setViewportSize(DESKTOP);
  await page.goto(MIX);
  await play(page).click();
  await expectSound(page);
  const heard = (await soundTime(page)) ?? 0;
  await logIn(page, free);
  await expect(page).toHaveURL(MIX);
  await expect.poll(() => soundTime(page)).toBeGreaterThan(heard);
  expect(await soundFile(page)).toContain('/preview');
  await atBothWidths(page, () => expect(bar(page)).toBeVisible());

  // Nothing that this page still asks for may be refused.
  await page.goto('about:blank');
  await context.clearCookies();
  await page.goto(MIX);
  // The player remembers the visit, also without an account.
  await expect(bar(page)).toBeVisible();
  await seekBar(page).press('Home');
  await play(page).click();
  await expectSound(page);
  await main(page).getByRole('link', { name: 'Premium, R79 a month' }).click();
  await register(page, newAccount());
  await expect(page).toHaveURL(/\/sandbox\/checkout\//);
  await payWith(page, 'Successful card');
  await expect(page.getByRole('heading', { name: 'You have Premium' })).toBeVisible();
  await expect(main(page).getByText(/^Continuing from 0:\d\d, in full$/)).toBeVisible();
  await expect.poll(() => soundTime(page)).toBeGreaterThan(golden.previewStart);
  expect(await soundFile(page)).toContain(`/media/tracks/${golden.id}/stream`);
  await main(page).getByRole('link', { name: 'Hear the mix' }).click();
  await expect(page).toHaveURL(MIX);
});
