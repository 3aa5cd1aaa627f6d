import type { Locator, Page } from '@playwright/test';
import { expect, newAccount, test, sendEmptyPages } from '../support/fixtures.ts';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SEARCH_PLACEHOLDER = 'Search for tracks, week numbers...';

test.use({ viewport: DESKTOP });

const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' });
const namesOf = (links: Locator) => links.evaluateAll((all) => all.map((link) => link.textContent));
const storedUser = (page: Page) => page.evaluate(() => sessionStorage.getItem('auth-user'));

test.describe('the search box', () => {
  test('opens the results for the trimmed query, and does nothing when it is empty', async ({
    page,
    signIn,
  }) => {
    await signIn('free');
    await page.goto('/top-20');
    const box = page.getByRole('banner').getByPlaceholder(SEARCH_PLACEHOLDER);
    for (const query of ['', '   ']) {
      await box.fill(query);
      await box.press('Enter');
      await expect(page).toHaveURL('/top-20');
    }
    await box.fill('  week 12 & more ');
    await box.press('Enter');
    await expect(page).toHaveURL('/search?q=week%2012%20%26%20more');
    await expect(box).toHaveValue('week 12 & more');
  });
});

test.describe('the header', () => {
  test('has the search box with its placeholder; on a phone its icon opens it', async ({
    page,
  }) => {
    await page.goto('/top-20');
    const header = page.getByRole('banner');
    const box = header.getByPlaceholder(SEARCH_PLACEHOLDER, { exact: true });
    const icon = header.getByRole('button', { name: 'Search', exact: true });
    await expect(box).toBeVisible();
    await expect(icon).toBeHidden();

    // The slash is a shortcut once the page has loaded the rest, and in a field it is a slash.
    await expect(async () => {
      await page.keyboard.press('/');
      await expect(box).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.press('/');
    await expect(box).toHaveValue('/');

    await page.setViewportSize(PHONE);
    await expect(box).toBeHidden();
    await icon.click();
    await expect(box).toBeFocused();
    await box.press('Escape');
    await expect(box).toBeHidden();
    await expect(icon).toBeFocused();
    await page.keyboard.press('/');
    await expect(box).toBeFocused();
    await header.getByRole('button', { name: 'Close search' }).click();
    await expect(box).toBeHidden();
    await expect(page).toHaveURL('/top-20');
  });

  test('has an upgrade link for visitors and free members only', async ({ page, signIn }) => {
    const upgrade = page.getByRole('banner').getByRole('link', { name: 'Upgrade to Premium' });
    const shell = page.getByRole('main');
    await page.goto('/top-20');
    await expect(upgrade).toBeVisible();
    await page.setViewportSize(PHONE);
    await expect(upgrade).toBeVisible();
    await signIn('free');
    await page.reload();
    await expect(upgrade).toHaveAttribute('href', '/pricing');
    await expect(upgrade).toBeVisible();
    await page.setViewportSize(DESKTOP);
    await expect(upgrade).toBeVisible();
    await signIn('premium');
    await page.reload();
    await expect(shell).toBeVisible();
    await expect(upgrade).toHaveCount(0);
    await page.setViewportSize(PHONE);
    await expect(upgrade).toHaveCount(0);
  });
});

test.describe('scrollbars', () => {
  test('of the sidebar and the sheet hide 600 ms after scrolling', async ({ page, signIn }) => {
    await signIn('admin');
    await page.clock.install();
    await page.setViewportSize({ width: 1024, height: 320 });
    await page.goto('/top-20');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const colours = (area: Locator) =>
      area.evaluate((element) => getComputedStyle(element).scrollbarColor);
    const hidden = 'rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)';

    for (const isPhone of [false, true]) {
      if (isPhone) {
        await page.setViewportSize({ width: 390, height: 320 });
        await page.getByRole('button', { name: 'Open menu' }).click();
      }
      const shown = isPhone ? page.getByRole('dialog') : sidebar(page);
      const logout = shown.getByRole('button', { name: 'Logout' });
      const area = shown.locator('[data-scrollbar]');
      await expect(area).toHaveAttribute('data-scrollbar', 'hidden');
      expect(await colours(area)).toBe(hidden);
      await page.clock.pauseAt(Date.now() + (isPhone ? 120_000 : 60_000));
      if (isPhone) await area.evaluate((element) => element.scrollBy(0, 80));
      else await logout.focus();
      await expect(area).toHaveAttribute('data-scrollbar', 'visible');
      expect(await colours(area)).not.toBe(hidden);
      await page.clock.runFor(599);
      await expect(area).toHaveAttribute('data-scrollbar', 'visible');
      await page.clock.runFor(1);
      await expect(area).toHaveAttribute('data-scrollbar', 'hidden');
      await page.clock.resume();
    }
  });
});

test.describe('the theme', () => {
  const theme = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  const stored = (page: Page) => page.evaluate(() => localStorage.getItem('color-theme'));

  test('is dark by default and remembers the choice', async ({ page }) => {
    await page.goto('/');
    expect(await theme(page)).toBe('dark');
    // On light ground, a numeral is ink on its week’s vivid colour: as a dark text, yellow is brown.
    const releases = page.getByRole('region', { name: 'New releases' });
    const numeral = releases.getByText(/^\d+$/).first();
    await expect(numeral).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await page.getByRole('button', { name: 'Switch to light theme' }).click();
    await expect(numeral).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    expect(await theme(page)).toBe('light');
    expect(await stored(page)).toBe('light');
    await page.reload();
    expect(await theme(page)).toBe('light');
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    expect(await theme(page)).toBe('dark');
    expect(await stored(page)).toBe('dark');
  });

  test('applies before any app code has run', async ({ page, problems }) => {
    problems.expect(/ERR_FAILED/);
    await page.addInitScript(() => localStorage.setItem('color-theme', 'light'));
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto('/search', { waitUntil: 'domcontentloaded' });
    await expect.poll(() => theme(page)).toBe('light');
    await expect(page.getByRole('main')).toHaveCount(0);
  });
});

test.describe('the sidebar', () => {
  const SUBSCRIBER_LINKS = [
    'Home',
    'Top 20',
    'Search',
    'Library',
    'Recently Played',
    'Favorites',
    'Downloaded',
    'Achievements',
  ];
  const mainLinks = (page: Page) => sidebar(page).getByRole('navigation').getByRole('link');

  test('shows login and register to a visitor', async ({ page }) => {
    await page.goto('/');
    const panel = sidebar(page).getByRole('region', { name: 'Public Access' });
    await expect(panel.getByRole('heading')).toHaveText('Public Access');
    await expect(panel.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    await expect(panel.getByRole('link', { name: 'Register' })).toHaveAttribute(
      'href',
      '/register',
    );
    expect(await namesOf(mainLinks(page))).toEqual(['Home', 'Top 20', 'Login', 'Register']);
    for (const [width, isVisible] of [
      [768, true],
      [767, false],
      [1440, true],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await expect(sidebar(page)).toBeVisible({ visible: isVisible });
      // Either the sidebar's or the tabs at the bottom.
      await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(1);
    }
    for (const name of ['Settings', 'Admin Dashboard', 'Library', 'Search']) {
      await expect(sidebar(page).getByRole('link', { name, exact: true })).toHaveCount(0);
    }
    await expect(sidebar(page).getByRole('button', { name: 'Logout' })).toHaveCount(0);
  });

  test('and the avatar menu link an administrator to the dashboard', async ({ page, signIn }) => {
    await signIn('admin');
    await page.goto('/');
    // An administrator hears everything, as a subscriber does.
    const panel = sidebar(page).getByRole('region', { name: 'Subscription' });
    await expect(panel.getByText('Premium', { exact: true })).toBeVisible();
    await expect(panel.getByText('Full access to all content', { exact: true })).toBeVisible();
    expect(await namesOf(mainLinks(page))).toEqual(SUBSCRIBER_LINKS);
    await expect(page.getByRole('banner').getByRole('link', { name: /upgrade/i })).toHaveCount(0);
    await page.getByRole('button', { name: 'My Account' }).click();
    const entries = page.getByRole('menu', { name: 'My Account' }).getByRole('menuitem');
    await expect(entries).toHaveText(['Profile', 'Subscription', 'Admin Dashboard', 'Logout']);
    await expect(entries.nth(2)).toHaveAttribute('href', '/admin');
    await page.keyboard.press('Escape');
    await sidebar(page).getByRole('link', { name: 'Admin Dashboard' }).click();
    await expect(page).toHaveURL('/admin');
  });
});

test.describe('the avatar menu', () => {
  const entries = (page: Page) =>
    page.getByRole('menu', { name: 'My Account' }).getByRole('menuitem');

  test('has profile, subscription and logout for a user', async ({ page, signIn }) => {
    await signIn('free');
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'My Account' })).toHaveText('FR');
    await page.getByRole('button', { name: 'My Account' }).click();
    await expect(page.getByRole('menu').getByText('My Account', { exact: true })).toBeVisible();
    await expect(entries(page)).toHaveText(['Profile', 'Subscription', 'Logout']);
    await expect(entries(page).nth(1)).toHaveAttribute('href', '/subscription');
    await page.getByRole('button', { name: 'My Account' }).click();
    await expect(entries(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'My Account' })).toHaveAttribute(
      'aria-expanded',
      'false',
    );
    await page.getByRole('button', { name: 'My Account' }).click();
    await entries(page).filter({ hasText: 'Profile' }).click();
    await expect(page).toHaveURL('/profile');

    // It doesn't take the focus back after the user has moved it.
    await page.goBack();
    await page.getByRole('button', { name: 'My Account' }).click();
    await expect(entries(page)).toHaveCount(3);
    const search = page.getByRole('combobox', { name: 'Search' });
    await search.click();
    await expect(entries(page)).toHaveCount(0);
    await expect(search).toBeFocused();

    await page.getByRole('button', { name: 'My Account' }).click();
    await entries(page).filter({ hasText: 'Profile' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile');
    await expect(entries(page)).toHaveCount(0);
    await expect(page.getByRole('main')).toBeFocused();
  });
});

test('demo mode is marked in the shell, and the login page lists the demo accounts', async ({
  page,
}) => {
  await page.goto('/login');
  await expect(sidebar(page).getByText('Demo mode', { exact: true })).toBeVisible();
  const note = page.getByRole('main').getByText(/^Demo mode/);
  await expect(note).toHaveText(
    'Demo mode: log in as free, premium or admin with the password weekender-demo.',
  );
});

test.describe('on a phone', () => {
  test.use({ viewport: PHONE });
  const tabs = (page: Page) =>
    page.getByRole('navigation', { name: 'Main' }).filter({ visible: true }).getByRole('link');
  const expectAtBottom = async (tab: Locator) => {
    const { y = 0, height = 0 } = (await tab.boundingBox()) ?? {};
    expect(y + height).toBe(PHONE.height);
  };

  test('a visitor has four tabs', async ({ page }) => {
    await page.goto('/');
    await expect(tabs(page)).toHaveText(['Home', 'Top 20', 'Login', 'Register']);
    await expectAtBottom(tabs(page).first());
    await tabs(page).filter({ hasText: 'Top 20' }).click();
    await expect(page).toHaveURL('/top-20');
  });

  test('a user has five tabs, and the sidebar is a sheet that closes after a link is chosen', async ({
    page,
    signIn,
  }) => {
    await signIn('free');
    await page.goto('/');
    await expect(tabs(page)).toHaveText(['Home', 'Top 20', 'Playlists', 'Favorites', 'Library']);
    await expectAtBottom(tabs(page).first());
    await expect(sidebar(page)).toBeHidden();
    await page.getByRole('button', { name: /menu/i }).click();
    const sheet = page.getByRole('dialog');
    await expect(sheet.getByRole('region', { name: 'Subscription' })).toBeVisible();
    const { x, width = 0, height } = (await sheet.boundingBox()) ?? {};
    expect([x, height], 'It comes from the left edge').toEqual([0, PHONE.height]);
    expect(width).toBeLessThan(PHONE.width);
    await sheet.getByRole('link', { name: 'Achievements' }).click();
    await expect(page).toHaveURL('/achievements');
    await expect(sheet).toBeHidden();
  });

  test('Escape closes the sheet and returns the focus', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/');
    const opener = page.getByRole('button', { name: /menu/i });
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCSS('animation-name', 'from-left');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(opener).toBeFocused();
  });
});

test.describe('with the keyboard', () => {
  test('the first Tab stop skips to the content, and a new page moves the focus there', async ({
    page,
  }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: /^skip to/i });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await sidebar(page).getByRole('link', { name: 'Top 20' }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/top-20');
    await expect(page.getByRole('main')).toBeFocused();

    // With text twice as large, no part of it shows without the focus.
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 32 } });
    const edge = await skip.evaluate((link) => link.getBoundingClientRect().bottom);
    expect(edge).toBeLessThanOrEqual(0);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 16 } });
    // At 400 % zoom, header and tabs leave the page its room.
    await page.setViewportSize({ width: 320, height: 256 });
    await page.evaluate(() => window.scrollTo(0, 300));
    await expect(page.getByRole('banner')).not.toBeInViewport();
    await expect(page.getByRole('navigation', { name: 'Main' })).not.toBeInViewport();
  });

  test('the avatar menu opens, moves through its items and closes', async ({ page, signIn }) => {
    await signIn('free');
    await page.goto('/');
    const button = page.getByRole('button', { name: 'My Account' });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'Subscription' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(button).toBeFocused();
  });
});

test.describe('the session', () => {
  test('is copied to session storage while the user is logged in', async ({
    page,
    registerByApi,
  }) => {
    const account = newAccount();
    await registerByApi(account);
    // Log out while the page's requests are in flight: none of them may fail with a 401.
    const loggedOut = page.waitForResponse('**/api/auth/logout');
    let delayed = 0;
    await sendEmptyPages(page);
    await page.route(/\/api\/(?!auth\/)/, async (route) => {
      delayed += 1;
      await loggedOut;
      await route.continue();
    });
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible();
    const copy = JSON.parse((await storedUser(page)) ?? '{}') as Record<string, unknown>;
    const { username, email } = account;
    const flags = { isSubscriber: false, isAdmin: false, avatarUrl: null };
    expect(copy).toMatchObject({ id: expect.any(String), username, email, ...flags });
    expect(copy).toEqual(await (await page.request.get('/api/auth/me')).json());
    expect(Object.keys(copy).join()).not.toMatch(/password/i);
    await expect.poll(() => delayed).toBeGreaterThan(2);
    await sidebar(page).getByRole('button', { name: 'Logout' }).click();
    await expect.poll(() => storedUser(page)).toBeNull();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('removes an old copy when no one is logged in', async ({ page }) => {
    await page.addInitScript(() => sessionStorage.setItem('auth-user', '{"username":"ghost"}'));
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(() => storedUser(page)).toBeNull();
  });

  test('check shows only the loader until the server responds', async ({ page }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await sendEmptyPages(page);
    await page.route('**/api/auth/me', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/library');
    const boot = JSON.parse((await page.locator('#boot').textContent()) ?? '{}') as {
      siteName: string;
    };
    const text = page.getByText(`Loading ${boot.siteName}…`, { exact: true });
    await expect(text).toBeInViewport();
    const screen = page.locator('#root > *').filter({ has: text });
    expect(await screen.boundingBox()).toEqual({ x: 0, y: 0, ...DESKTOP });
    for (const role of ['main', 'banner', 'complementary', 'navigation'] as const)
      await expect(page.getByRole(role)).toHaveCount(0);
    // The guard waits for the answer.
    await expect(page).toHaveURL('/library');
    release();
    await expect(page).toHaveURL('/login?next=%2Flibrary');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading /)).toHaveCount(0);
  });

  test('is checked on every page change', async ({ page, signIn }) => {
    await signIn('free');
    await page.goto('/pricing');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Wait for the last request, or a pending one would notice the logout first.
    await page.waitForFunction(() => 'healthReport' in window);
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    await sidebar(page).getByRole('link', { name: 'Library', exact: true }).click();
    await expect(page).toHaveURL('/login?next=%2Flibrary');
    await expect(page.getByRole('button', { name: 'My Account' })).toHaveCount(0);
  });

  test('check that fails at first leaves the user logged out; a later failure keeps the member logged in', async ({
    page,
    problems,
    signIn,
  }) => {
    problems.expect(/500 .*\/api\/auth\/me$/);
    await sendEmptyPages(page);
    await signIn('free');
    const fail = () =>
      page.route('**/api/auth/me', (route) => route.fulfill({ status: 500, body: 'broken' }));
    await fail();
    await page.goto('/library');
    await expect(page).toHaveURL('/login?next=%2Flibrary');
    await expect(sidebar(page).getByRole('region', { name: 'Public Access' })).toBeVisible();

    await page.unroute('**/api/auth/me');
    await page.goto('/library');
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible();
    await fail();
    const failed = page.waitForResponse('**/api/auth/me');
    await sidebar(page).getByRole('link', { name: 'Favorites' }).click();
    await failed;
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Favorites');
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible();
  });
});

test('a request without a response times out after 30 seconds', async ({ page }) => {
  await page.clock.install();
  await page.route('**/api/auth/login', () => undefined);
  await page.goto('/login');
  const form = page.getByRole('main');
  await form.getByLabel(/^username/i).fill('somebody');
  await form.getByLabel('Password', { exact: true }).fill('something');
  const sent = page.waitForRequest('**/api/auth/login');
  await form.getByRole('button', { name: 'Login', exact: true }).click();
  await sent;
  await page.clock.runFor(29_000);
  await expect(page.getByText('API request timed out')).toHaveCount(0);
  await page.clock.runFor(2_000);
  await expect(page.getByText('API request timed out')).toBeVisible();
});

test('repeated slashes in an address are collapsed', async ({ page, origin }) => {
  await page.goto(`${origin}//top-20`);
  await expect(page).toHaveURL('/top-20');
  await page.goto(`${origin}/library//`);
  await expect(page).toHaveURL('/login?next=%2Flibrary');
  await page.goto(`${origin}//landing//?next=%2Fpricing`);
  await expect(page).toHaveURL('/landing?next=%2Fpricing');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(sidebar(page)).toHaveCount(0);
});

for (const path of ['/', '/landing'])
  test(`${path} publishes its health report on the window`, async ({ page }) => {
    await Promise.all([
      page.waitForResponse('**/api/health'),
      page.waitForResponse('**/healthz'),
      page.goto(path),
    ]);
    const report = await page.waitForFunction(
      () =>
        (window as { healthReport?: { status: string; components: { name: string }[] } })
          .healthReport,
    );
    const { status, components } = (await report.jsonValue()) ?? { status: '', components: [] };
    expect(status).toBe('ok');
    expect(components.map(({ name }) => name).toSorted()).toEqual(
      ['api', 'auth', 'network', 'rendering', 'storage'].toSorted(),
    );
  });
