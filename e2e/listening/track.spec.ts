import { golden, membersOnly, short } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { bar, seekBar, PREVIEW_END } from '../support/player-page.ts';
import { expectSound, soundTime, watchSound } from '../support/sound.ts';
import { PREVIEW_LENGTH_TEXT } from '#contract/rules/preview.ts';

test.use({ viewport: { width: 1440, height: 900 } });
test.beforeEach(({ page }) => watchSound(page));

test('a mix plays from any chapter of its tracklist', async ({ page, signIn }) => {
  await signIn('premium');
  await page.goto(`/track/${golden.id}`);
  await expect(page.getByRole('heading', { level: 1, name: golden.title })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(golden.title));
  // Title and artist are two things to a screen reader too.
  const tracklist = page.getByRole('region', { name: 'Tracklist' });
  expect(await tracklist.ariaSnapshot()).toContain('Umlazi Siren by Kasi Voltage');
  // The menu has what the page has no button for.
  const stage = page.getByRole('region', { name: golden.title });
  await stage.getByRole('button', { name: `More options for ${golden.title}` }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Play next', 'Add to queue']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Play from Candle Math' }).click();
  await expect.poll(() => soundTime(page)).toBeGreaterThan(45);
  const row = page.getByRole('listitem').filter({ hasText: 'Candle Math' }).last();
  await expect(row).toHaveAttribute('aria-current', 'true');
});

test('a mix links to the previous and next one', async ({ page, signIn }) => {
  await signIn('free');
  await page.goto(`/track/${golden.id}`);
  const neighbours = page.getByRole('navigation', { name: 'Previous and next mix' });
  await neighbours.getByRole('link', { name: short.title }).click();
  await expect(page.getByRole('heading', { level: 1, name: short.title })).toBeVisible();
  await neighbours.getByRole('link', { name: golden.title }).click();
  await expect(page.getByRole('heading', { level: 1, name: golden.title })).toBeVisible();
});

test('a free user can play the chapter that is in the preview', async ({ page, signIn }) => {
  await signIn('free');
  await page.goto(`/track/${golden.id}`);
  await expect(page.getByText(`${PREVIEW_LENGTH_TEXT}, free`)).toBeVisible();
  await expect(page.getByText(/^Test track \d+\.$/).filter({ visible: true })).toHaveCount(1);
  const waveform = page.getByRole('region', { name: 'Waveform' });
  await expect(waveform).toContainText('0:001:00');
  await expect(page.getByRole('button', { name: 'Play from Candle Math' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Play from Umlazi Siren' }).click();
  await expectSound(page);
  // The waveform is now the preview’s own.
  await expect(waveform).toContainText('0:20 of 1:00');
  await expect(seekBar(page)).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`^0:0\\d of ${PREVIEW_END}$`),
  );
  // A moving waveform says what plays.
  await expect(page.getByRole('main').getByRole('slider', { name: 'Seek' })).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`^0:\\d\\d of ${PREVIEW_END}, Umlazi Siren by Kasi Voltage$`),
  );
});

test('the page says when a mix is missing or for subscribers only', async ({
  page,
  signIn,
  problems,
}) => {
  problems.expect(/40[34].*\/api\/tracks\//);
  problems.expect(/404.*\/track\/unknown$/);
  await signIn('free');
  expect((await page.goto('/track/unknown'))?.status()).toBe(404);
  await expect(page.getByText('Mix not found')).toBeVisible();
  await page.goto(`/track/${membersOnly.id}`);
  const stage = page.getByRole('region', { name: 'This mix is for Premium subscribers' });
  await expect(stage.getByText(/^Week \d+, /)).toBeVisible();
  await expect(stage.locator('.sleeve img')).toBeVisible();
  await expect(stage.getByText(/^\d+$/)).toBeVisible();
  await expect(stage).not.toContainText(membersOnly.title);
  await expect(stage.getByRole('link', { name: 'Upgrade to Premium' })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});
