import { golden, robots, short } from '../support/e2e-tracks.ts';
import { expect, newAccount, test, sendEmptyPages } from '../support/fixtures.ts';
import { forceColors, measureInk } from '../support/forced-colors.ts';
import { bar } from '../support/player-page.ts';

test('the year opens any week by keyboard or pointer, and every week has its own address', async ({
  page,
  problems,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  const stage = page.getByRole('heading', { level: 1 });
  const year = page.getByRole('slider', { name: /^Weeks of/ });
  await expect(stage).toHaveText(golden.title);
  await expect(year).toHaveAttribute('aria-valuetext', new RegExp(golden.title));

  await page.waitForFunction(() => 'healthReport' in window);
  await year.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(year).toHaveAttribute('aria-valuetext', new RegExp(`, ${short.title}$`));
  await expect(page.getByText(short.title).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/\?week=\d{4}-W\d{2}$/);
  await expect(stage).toHaveText(short.title);
  await page.reload();
  await expect(stage).toHaveText(short.title);

  const box = await year.boundingBox();
  const weeks = Number(await year.getAttribute('aria-valuemax'));
  const shown = Number(await year.getAttribute('aria-valuenow'));
  if (!box) throw new Error('The year is not on the page.');
  const x = box.x + ((shown - 1 - 2 + 0.5) / weeks) * box.width;
  await page.mouse.move(x, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.up();
  await expect(stage).toHaveText(robots.title);
  await page.goBack();
  await expect(stage).toHaveText(short.title);

  // A week that failed to load must not look like one without a mix.
  problems.expect(/ERR_FAILED .*\/api\/tracks$/);
  await sendEmptyPages(page);
  await page.route(/\/api\/tracks\?.*week=/, (route) => route.abort());
  await page.reload();
  await expect(page.getByText('Couldn’t load the mixes')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(stage).toHaveText(short.title);
});

test('a user continues where they left off and catches up on missed weeks', async ({
  page,
  api,
  signIn,
  registerByApi,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await registerByApi(newAccount());
  await page.goto('/');
  const missed = page.getByRole('region', { name: 'Weeks you missed' });
  await expect(page.getByText(/^\d+ mixes so far$/)).toBeVisible();
  await missed.getByRole('button', { name: /^Catch up \(\d+ mixes\)$/ }).click();
  await expect(bar(page).getByRole('link', { name: robots.title })).toBeVisible();

  const premium = await api('premium');
  const start = await premium.post(`/api/tracks/${robots.id}/play`);
  const { playId } = (await start.json()) as { playId: string };
  const data = { secondsListened: 1, position: 20 };
  expect((await premium.post(`/api/plays/${playId}/heartbeat`, { data })).ok()).toBe(true);
  await signIn('premium');
  await page.goto('/');
  // Whether a week was heard comes first, and nothing of it is cut off.
  await page.getByRole('slider', { name: /^Weeks of/ }).press('ArrowLeft');
  const peek = page.getByText(/^not heard yet · week \d+ · Gqom$/);
  await expect(peek).toBeVisible();
  expect(await peek.evaluate((line) => line.scrollWidth <= line.clientWidth)).toBe(true);
  const started = page.getByRole('region', { name: 'Continue listening' });
  await expect(started.getByRole('listitem').first()).toContainText(robots.title);
  await expect(started.getByRole('listitem').first()).toContainText('40 s left');
  await expect(
    page.getByRole('region', { name: 'Top 20' }).getByRole('listitem').first(),
  ).toContainText(robots.title);

  // In high contrast too: the year, its legend, the current page and the edge of a button.
  await forceColors(page);
  await page.keyboard.press('Escape');
  const weeks = page.getByRole('slider', { name: /^Weeks of/ }).locator('i[data-week]');
  expect(await measureInk(weeks.last()), 'This week').toBeGreaterThan(0.9);
  const unheard = await measureInk(weeks.nth(-2), middle);
  expect(unheard, 'The outline of a week').toBeGreaterThan(0);
  expect(unheard, 'The outline of a week').toBeLessThan(0.8);
  const legend = page.getByText('Unheard', { exact: true });
  expect(await measureInk(legend.locator('i'))).toBeGreaterThan(0.2);
  const home = page.getByRole('complementary', { name: 'Sidebar' }).getByText('Home');
  const mark = ({ x }: { x: number }) => ({ x: x - 14, width: 3 });
  expect(await measureInk(home, mark), 'The mark of the current page').toBeGreaterThan(0.5);
  const catchUp = page.getByRole('button', { name: /^Catch up/ });
  expect(await measureInk(catchUp, (box) => ({ ...middle(box), width: 4 }))).toBeGreaterThan(0.1);
  const ring = (box: Box) => ({ ...middle(box), x: box.x - 5, width: 5 });
  expect(await measureInk(catchUp, ring), 'Without the focus').toBe(0);
  await catchUp.focus();
  expect(await measureInk(catchUp, ring), 'The focus').toBeGreaterThan(0.2);
});

type Box = { x: number; y: number; height: number };

const middle = ({ y, height }: Box) => ({ y: y + height / 2, height: 2 });
