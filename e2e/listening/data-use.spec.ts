import type { Page } from '@playwright/test';
import { describeData } from '#contract/rules/data-use.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { atBothWidths } from '../support/both-widths.ts';
import { golden } from '../support/e2e-tracks.ts';
import { expect, newAccount, subscribe, test } from '../support/fixtures.ts';
import { emulateConnection } from '../support/connection.ts';
import { inBar } from '../support/player-page.ts';

const phone = { viewport: { width: 390, height: 844 } };
const desk = { viewport: { width: 1440, height: 900 } };

test('says what a mix uses and costs, and saves data by itself on a mobile line', async ({
  page,
  openAs,
  origin,
  registerByApi,
  request,
}) => {
  const preview = 'About 0.5 MB of data, 5 cents';
  // No page waits for code to say it.
  expect(await (await request.get('/', { headers: { accept: 'text/html' } })).text()).toContain(
    preview,
  );
  const stranger = await openAs('visitor', { ...phone, baseURL: origin });
  await stranger.goto('/');
  const lineOf = (of: Page) => of.getByRole('main').getByText(preview);
  await atBothWidths(stranger, () => expect(lineOf(stranger)).toBeVisible());
  const member = await openAs('free', { ...desk, baseURL: origin });
  await member.goto(`/track/${golden.id}`);
  await atBothWidths(member, () => expect(lineOf(member)).toBeVisible());
  await member.getByRole('link', { name: 'Home' }).first().click();
  await atBothWidths(member, () => expect(lineOf(member)).toBeVisible());

  const { sizes } = (await (await request.get(`/api/tracks/${golden.id}`)).json()) as TrackDetail;
  const about = (bytes = 0) => `About ${describeData(bytes, 85_00)}`;
  expect(about(sizes.dataSaver)).not.toBe(about(sizes.stream));
  // Of their own: what others play as the same member would resume here.
  const account = newAccount();
  await registerByApi(account);
  subscribe(account);
  await page.setViewportSize(phone.viewport);
  await emulateConnection(page.context(), { type: 'cellular', effectiveType: '4g' });
  const main = page.getByRole('main');
  await page.goto(`/track/${golden.id}`);
  await atBothWidths(page, () => expect(main.getByText(about(sizes.dataSaver))).toBeVisible());
  const small = page.waitForRequest(/\/dataSaver\?/);
  await main.getByRole('button', { name: 'Play', exact: true }).click();
  await small;
  await expect(
    page.getByText('We’re using data saver on mobile data', { exact: true }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Use best quality' }).click();
  await expect(page.getByText('Best quality from the next mix', { exact: true })).toBeVisible();
  // The small file plays on, so the line still says what that one uses.
  await expect(main.getByText(about(sizes.dataSaver))).toBeVisible();
  await page.waitForFunction(() => {
    const seek = document.querySelector('[aria-label="Seek"]');
    return Number(seek?.getAttribute('aria-valuenow')) >= 2;
  });
  await inBar(page, 'Pause').click();

  await page.goto('/settings');
  const playback = page.getByRole('region', { name: 'Listening', exact: true });
  await expect(playback.getByRole('radio', { name: 'Never' })).toBeChecked();
  const hour = playback.getByText('An hour uses 29 MB, R2.50');
  await atBothWidths(page, () => expect(hour).toBeVisible());
  await expect(playback.getByRole('status')).toHaveText('About 0.1 MB, 1 cent');
  await expect(playback.getByText('0.1 MB streamed.')).toBeVisible();
  const best = page.waitForRequest(/\/stream\?/);
  await inBar(page, 'Play').click();
  await best;
});
