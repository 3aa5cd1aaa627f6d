import type { Track } from '#contract/tracks.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import { sleeveName, sleevePath } from '#contract/art/sleeve-names.ts';
import { DEFAULT_SLEEVE_STYLE as style } from '#contract/art/sleeve-style.ts';
import { atBothWidths } from '../support/both-widths.ts';
import { e2eTracks, golden, robots, short } from '../support/e2e-tracks.ts';
import { expect, newAccount, test, sendEmptyPages } from '../support/fixtures.ts';
import { bar, currentTitle, inBar, queueSheet } from '../support/player-page.ts';
import { PageTraffic } from '../support/page-traffic.ts';
import { expectSound, watchSound } from '../support/sound.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test('the address filters the library, and a row plays the list it is in', async ({
  page,
  registerByApi,
}) => {
  await watchSound(page);
  await registerByApi(newAccount());
  await page.goto('/library?genre=Gqom');
  const rows = page.getByRole('list', { name: /^Library, \d{4}$/ }).getByRole('listitem');
  const row = (title: string) => rows.filter({ hasText: title });
  await expect(row(golden.title)).toBeVisible();
  await expect(row(robots.title)).toHaveCount(0);
  await expect(page.getByRole('combobox', { name: 'Genre' })).toHaveValue('Gqom');

  await page.getByRole('button', { name: `Play preview: ${golden.title}` }).click();
  await currentTitle(page, golden.title);
  await expectSound(page);
  await page.getByRole('button', { name: `Pause: ${golden.title}` }).click();
  await inBar(page, 'Queue').click();
  await expect(queueSheet(page).getByRole('listitem').nth(1)).toContainText(short.title);
  await expect(queueSheet(page).getByText(robots.title)).toHaveCount(0);
  await inBar(page, 'Queue').click();

  await page.getByRole('combobox', { name: 'Genre' }).selectOption('All genres');
  await expect(page).toHaveURL(/\/library$/);
  await expect(row(robots.title)).toBeVisible();
  await page.getByRole('radio', { name: 'Listened' }).click();
  await expect(page).toHaveURL(/\?state=listened$/);
  await expect(row(robots.title)).toHaveCount(0);
  await page.goBack();
  await expect(row(robots.title)).toBeVisible();
  await page.getByRole('radio', { name: 'Missed' }).click();
  await expect(page.getByRole('radio', { name: 'Missed' })).toBeChecked();
  await expect(row(robots.title)).toBeVisible();

  const more = page.getByRole('button', { name: `More options for ${robots.title}` });
  await more.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('menuitem', { name: 'Play next' }).press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Playing next' })).toBeVisible();
  await expect(more).toBeFocused();
  await inBar(page, 'Queue').click();
  await expect(queueSheet(page).getByRole('listitem').nth(1)).toContainText(robots.title);
});

test('two mixes of one week have their own sleeves, on a phone and on a desktop', async ({
  page,
  signIn,
}) => {
  await signIn('premium');
  await sendEmptyPages(page);
  await page.route('**/api/tracks?*', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replaceAll(/"weekNumber":\d+/g, '"weekNumber":7') });
  });
  await page.goto('/library');
  const rows = page.getByRole('main').getByRole('listitem');
  const sleeves = rows.locator('.sleeve img');
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(sleeves).toHaveCount(e2eTracks.length);
    const drawings = await sleeves.evaluateAll((all: HTMLImageElement[]) =>
      all.map(({ src }) => src),
    );
    expect(new Set(drawings).size).toBe(e2eTracks.length);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a list that a link opens paints its sleeves as the server draws them', async ({
  page,
  signIn,
}) => {
  const ids = Array.from({ length: 20 }, (_, i) => `mix-${i}`);
  const weekAt = (index: number) => 2 * index + 1;
  const files = ids.map((id, i) => sleevePath(sleeveName(style, weekAt(i), id)));
  await signIn('premium');
  await page.route('**/api/tracks?*', async (route) => {
    const response = await route.fetch();
    const { items } = (await response.json()) as { items: Track[] };
    const copies = ids.map((id, i) => ({ ...items[0], id, weekNumber: weekAt(i) }));
    await route.fulfill({ response, json: { items: copies, nextCursor: null } });
  });
  const traffic = new PageTraffic(page);
  await page.goto('/');
  await traffic.settle();
  const painter = page.waitForResponse(/\/paint-sleeve-[^/]*\.js$/);
  const link = page.getByRole('link', { name: 'Library', exact: true }).first();
  await link.hover();
  await painter;
  await link.click();
  const painted = page.getByRole('main').locator('li .sleeve canvas');
  await expect(painted).toHaveCount(ids.length);
  // How far each is from the server's file, in levels of 255.
  const compare = () =>
    painted.evaluateAll(
      (canvases: HTMLCanvasElement[], paths) =>
        Promise.all(
          canvases.map(async (canvas, row) => {
            const image = new Image();
            image.src = paths[row] ?? '';
            await image.decode();
            const { width, height } = canvas;
            const [levels, expected] = [canvas, image].map((picture) => {
              const context = new OffscreenCanvas(width, height).getContext('2d');
              context?.drawImage(picture, 0, 0, width, height);
              return context?.getImageData(0, 0, width, height).data ?? [];
            });
            let sum = 0;
            for (const [i, level] of levels?.entries() ?? [])
              sum += Math.abs(level - (expected?.[i] ?? 0));
            return sum / (levels?.length ?? 1);
          }),
        ),
      files,
    );
  await expect.poll(async () => Math.max(...(await compare()))).toBeLessThan(5);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the library retries a failed load and says when nothing matches', async ({
  page,
  signIn,
  problems,
}) => {
  problems.expect(/500.*\/api\/tracks/);
  await signIn('free');
  await sendEmptyPages(page);
  await page.route('**/api/tracks?*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto('/library');
  await expect(page.getByText('Couldn’t load this list')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: golden.title })).toBeVisible();
  await page.goto('/library?genre=Polka');
  await expect(page.getByText('No mixes match')).toBeVisible();
  await page.getByRole('button', { name: 'Show all mixes' }).click();
  await expect(page.getByRole('link', { name: golden.title })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});

test('a year is a wall of weeks, a picture to save, and public only while its member shares it', async ({
  page,
  registerByApi,
  openAs,
  request: stranger,
  origin,
  problems,
}) => {
  const { year } = weekOf(Date.now(), 'Africa/Johannesburg');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/year/${year}`);
  await expect(page).toHaveURL(`/login?next=%2Fyear%2F${year}`);

  // A free member, on a phone.
  await registerByApi(newAccount());
  await page.goto('/library');
  await page.getByRole('link', { name: 'Your year' }).click();
  await expect(page.getByRole('heading', { name: String(year), level: 1 })).toBeVisible();
  const weeks = page.getByRole('list', { name: `Weeks of ${year}` });
  const waiting = weeks.getByRole('link', { name: new RegExp(`${golden.title}, waiting$`) });
  await atBothWidths(page, () => expect(waiting).toBeVisible());
  await expect(page.getByRole('img', { name: /^0 weeks heard of \d+\. 0 min/ })).toBeVisible();
  await expect(page.getByText('most played')).toBeVisible();

  // A subscriber, on a desktop.
  const desktop = await openAs('premium', { viewport: { width: 1440, height: 900 } });
  await desktop.goto(`/year/${year}`);
  const button = desktop.getByRole('button', { name: 'Save or share' });
  await atBothWidths(desktop, () => expect(button).toBeVisible());
  await button.press('Enter');
  const dialog = desktop.getByRole('dialog');
  await expect(
    dialog.getByRole('img', { name: /^premium’s year, .* weeks? heard of/ }),
  ).toHaveJSProperty('naturalWidth', 1080);
  const download = desktop.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Save picture' }).click();
  expect((await download).suggestedFilename()).toBe(`Weekender - ${year} - poster.png`);
  const isPublic = dialog.getByRole('switch', { name: 'Public link' });
  await isPublic.press('Space');
  const link = dialog.getByRole('textbox', { name: 'Link' });
  await expect(link).toHaveValue(/\/media\/cards\/years\/[\w-]{43}\.png$/);
  const url = await link.inputValue();
  const picture = await stranger.get(url);
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png']);
  await dialog.getByRole('switch', { name: 'Show my username' }).press('Space');
  await expect(dialog.getByRole('switch', { name: 'Show my username' })).toBeChecked();
  await isPublic.press('Space');
  await expect(link).toHaveCount(0);
  expect((await stranger.get(url)).status()).toBe(404);
  await desktop.keyboard.press('Escape');
  await expect(button).toBeFocused();

  problems.expect(/404.*\/year\/next/);
  await desktop.goto('/year/next');
  await desktop.getByRole('link', { name: `Go to ${year}` }).click();
  await expect(desktop).toHaveURL(`${origin}/year/${year}`);
});
