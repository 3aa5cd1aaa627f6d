import { golden } from './e2e-tracks.ts';
import { expect, test } from './fixtures.ts';
import { PageTraffic } from './page-traffic.ts';

type WatchedWindow = { transitions: number };

test.use({ viewport: { width: 1100, height: 480 } });

test('a page whose link was hovered is asked for once, moves only for those who like it, and Back returns to the same place', async ({
  page,
  signIn,
}) => {
  await signIn('premium');
  const path = `/api/tracks/${golden.id}`;
  const data = [path, `${path}/favorite`, `${path}/neighbours`, `${path}/peaks`];
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (data.includes(pathname)) asked.push(pathname);
  });
  await page.addInitScript(() => {
    Object.assign(window, { transitions: 0 });
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      (window as unknown as WatchedWindow).transitions += 1;
      return start(update);
    };
  });
  const readTransitions = () =>
    page.evaluate(() => (window as unknown as WatchedWindow).transitions);
  const readScroll = () => page.evaluate(() => window.scrollY);
  const traffic = new PageTraffic(page);
  await page.goto('/library');
  const main = page.getByRole('main');
  const link = main.getByRole('link', { name: golden.title, exact: true });
  await expect(link).toBeVisible();
  await traffic.settle();
  await page.evaluate(() => window.scrollTo(0, 100));

  await link.hover();
  await expect.poll(() => asked.toSorted()).toEqual(data);
  await traffic.settle({ isRendered: true });
  await link.click();
  await expect(main.getByRole('heading', { name: golden.title, level: 1 })).toBeVisible();
  await expect(main).toBeFocused();
  expect(await readScroll()).toBe(0);
  await traffic.settle({ isRendered: true });
  expect(asked).toHaveLength(data.length);
  expect(await readTransitions()).toBe(0);
  await page.goBack();
  await expect(link).toBeVisible();
  await expect.poll(readScroll).toBe(100);

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await link.click();
  await expect(main.getByRole('heading', { name: golden.title, level: 1 })).toBeVisible();
  await expect(main).toBeFocused();
  expect(await readScroll()).toBe(0);
  expect(await readTransitions()).toBe(1);
});

test('a list that a link opens shows a screenful first, and the rest after it', async ({
  page,
  signIn,
}) => {
  await signIn('premium');
  await page.route(/\/api\/tracks\?/, async (route) => {
    const response = await route.fetch();
    const { items } = (await response.json()) as { items: { id: string }[] };
    const many = Array.from({ length: 30 }, (_, i) => ({ ...items[0], id: `copy-${i}` }));
    await route.fulfill({ response, json: { items: many, nextCursor: null } });
  });
  await page.goto('/');
  await page.evaluate(() => {
    const counts: number[] = [];
    Object.assign(window, { counts });
    new MutationObserver(() => {
      const rows = document.querySelectorAll('ul[aria-label^="Library"] li').length;
      if (rows > 0 && rows !== counts.at(-1)) counts.push(rows);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('complementary').getByRole('link', { name: 'Library' }).click();
  const readCounts = () => page.evaluate(() => (window as unknown as { counts: number[] }).counts);
  await expect.poll(readCounts).toEqual([8, 30]);
});
