import { golden } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';
import { PageTraffic } from '../support/page-traffic.ts';

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
  // As on a quick device, the page takes no time.
  await page.evaluate(() => Object.assign(performance, { now: () => 0 }));
  await link.click();
  await expect(main.getByRole('heading', { name: golden.title, level: 1 })).toBeVisible();
  await page.evaluate(() => Reflect.deleteProperty(performance, 'now'));
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

type Item = { track?: object };
type ListCase = {
  name: string;
  api: RegExp;
  copies: number;
  copy: (item: Item | undefined, id: string, index: number) => object;
  counts: number[];
};

const lists: ListCase[] = [
  {
    name: 'Library',
    api: /\/api\/tracks\?/,
    copies: 30,
    copy: (track, id) => ({ ...track, id }),
    counts: [8, 30],
  },
  {
    name: 'Top 20',
    api: /\/api\/top-20/,
    copies: 20,
    copy: (entry, id, i) => ({ ...entry, rank: i + 1, track: { ...entry?.track, id } }),
    // Below the number one, which is large.
    counts: [4, 19],
  },
];

for (const { name, api, copies, copy, counts } of lists)
  test(`a list that a link opens shows a screenful first, and the rest after it: ${name}`, async ({
    page,
    signIn,
  }) => {
    await signIn('premium');
    await page.route(api, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { items: Item[] };
      const items = Array.from({ length: copies }, (_, i) => copy(answer.items[0], `copy-${i}`, i));
      await route.fulfill({ response, json: { ...answer, items, nextCursor: null } });
    });
    await page.goto('/settings');
    await page.evaluate((label) => {
      const seen: number[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const rows = document.querySelectorAll(`ul[aria-label^="${label}"] li`).length;
        if (rows > 0 && rows !== seen.at(-1)) seen.push(rows);
      }).observe(document.body, { childList: true, subtree: true });
    }, name);
    await page.getByRole('complementary').getByRole('link', { name }).click();
    const readSeen = () => page.evaluate(() => (window as unknown as { seen: number[] }).seen);
    await expect.poll(readSeen).toEqual(counts);
  });
