import type { APIRequestContext, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, newAccount, readLink, test, type Account } from '../support/fixtures.ts';

const myAccount = (page: Page) => page.getByRole('button', { name: 'My Account' });
const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' });

async function fillLogin(page: Page, username: string, password: string): Promise<void> {
  const form = page.getByRole('main');
  await form.getByLabel(/^username/i).fill(username);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Login', exact: true }).click();
}

async function expectVisitor(page: Page): Promise<void> {
  await expect(sidebar(page).getByRole('region', { name: 'Public Access' })).toBeVisible();
  await expect(myAccount(page)).toHaveCount(0);
}

test.describe('registering', () => {
  test('logs the user in and shows their initials', async ({ page }) => {
    const account = newAccount('Thandi.Nkosi');
    await page.goto('/register');
    const form = page.getByRole('main');
    await form.getByLabel('Username').fill(account.username);
    await form.getByLabel(/^e-?mail$/i).fill(account.email);
    await form.getByLabel('Password', { exact: true }).fill(account.password);
    const sent = page.waitForRequest('**/api/auth/register');
    await form.getByRole('button', { name: 'Create account' }).click();

    expect((await sent).postDataJSON()).toEqual({ ...account, isSubscriber: false });
    await expect(page).toHaveURL('/');
    await expect(myAccount(page)).toHaveText('TN');
    const panel = sidebar(page).getByRole('region', { name: 'Subscription' });
    await expect(panel).toContainText('Free');
  });

  test('shows an invalid field before sending anything, and server errors at their fields', async ({
    page,
    problems,
    registerByApi,
  }) => {
    const taken = newAccount();
    await registerByApi(taken);
    await page.context().clearCookies();
    problems.expect(/409 .*\/api\/auth\/register$/);
    await page.goto('/register');
    let hasSent = false;
    page.on('request', (request) => {
      hasSent ||= request.url().endsWith('/api/auth/register');
    });
    const form = page.getByRole('main');
    await form.getByLabel('Username').fill('ab');
    await form.getByLabel('Password', { exact: true }).fill('secret');
    await form.getByRole('button', { name: 'Create account' }).click();
    await expect(form.getByLabel('Username')).toHaveAccessibleDescription(/at least 3 characters/);
    await expect(form.getByLabel('Username')).toBeFocused();
    await expect(form.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      /at least 8 characters/,
    );
    expect(hasSent).toBe(false);

    await form.getByLabel('Username').fill(taken.username);
    await form.getByLabel(/^e-?mail$/i).fill(newAccount().email);
    await form.getByLabel('Password', { exact: true }).fill(taken.password);
    await form.getByRole('button', { name: 'Create account' }).click();
    await expect(form.getByLabel('Username')).toHaveAccessibleDescription(/taken/);
    await expect(page).toHaveURL('/register');
  });
});

test.describe('logging in', () => {
  test('with a wrong password shows an error, which the next try removes', async ({
    page,
    problems,
  }) => {
    problems.expect(/401 .*\/api\/auth\/login$/);
    const message = page.getByText('Invalid username or password');
    await page.goto('/login');
    await fillLogin(page, newAccount().username, 'not-the-password');
    await expect(message).toBeVisible();
    await expect(page).toHaveURL('/login');

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/auth/login', async (route) => {
      await released;
      await route.continue();
    });
    const sent = page.waitForRequest('**/api/auth/login');
    await fillLogin(page, newAccount().username, 'not-this-one-either');
    await sent;
    await expect(message).toHaveCount(0);
    release();
    await expect(message).toBeVisible();
  });

  test('leads to the requested page', async ({ page, registerByApi }) => {
    const account = newAccount();
    await registerByApi(account);
    await page.context().clearCookies();
    await page.goto('/search?q=100%25%20deep%20%26%20slow');
    await expect(page).toHaveURL((url) => url.pathname === '/login');
    const sent = page.waitForRequest('**/api/auth/login');
    await fillLogin(page, account.username, account.password);
    const { username, password } = account;
    expect((await sent).postDataJSON()).toEqual({ username, password });
    await expect(page).toHaveURL(
      (url) => url.pathname === '/search' && url.searchParams.get('q') === '100% deep & slow',
    );
  });

  test('never leads away from the site', async ({ page, registerByApi }) => {
    const account = newAccount();
    await registerByApi(account);
    for (const foreign of ['https://example.org/', '//example.org/x', '/\\example.org']) {
      // What a page still asks for would be refused without its cookie.
      await page.goto('about:blank');
      await page.context().clearCookies();
      await page.goto(`/login?next=${encodeURIComponent(foreign)}`);
      await fillLogin(page, account.username, account.password);
      await expect(myAccount(page)).toBeVisible();
      await expect(page).toHaveURL('/');
    }
  });
});

test.describe('logging out', () => {
  test.beforeEach(async ({ page, registerByApi }) => {
    await registerByApi(newAccount());
    const loaded = page.waitForResponse('**/api/favorites*');
    await page.goto('/favorites');
    await expect(myAccount(page)).toBeVisible();
    // What is on its way while someone logs out is refused.
    await loaded;
  });

  test('works from the avatar menu', async ({ page }) => {
    await myAccount(page).click();
    const sent = page.waitForRequest('**/api/auth/logout');
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    expect((await sent).postData()).toBeNull();
    await expectVisitor(page);
    await page.goto('/favorites');
    await expect(page).toHaveURL('/login?next=%2Ffavorites');
  });

  test('works from the sidebar', async ({ page }) => {
    await sidebar(page).getByRole('button', { name: 'Logout' }).click();
    await expectVisitor(page);
    expect(await page.evaluate(() => sessionStorage.getItem('auth-user'))).toBeNull();
  });

  test('in one tab is noticed by another when it becomes visible', async ({ page, context }) => {
    const other = await context.newPage();
    await other.goto('/library');
    await expect(myAccount(other)).toBeVisible();
    await sidebar(page).getByRole('button', { name: 'Logout' }).click();
    await expectVisitor(page);

    await other.bringToFront();
    // The event that a visible browser sends on a change of tabs.
    await other.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    );
    await expect(other).toHaveURL('/login?next=%2Flibrary');
  });
});

const readResetLink = (admin: APIRequestContext, email: string) =>
  readLink(admin, email, 'reset-password');

test.describe('a forgotten password', () => {
  async function requestLink(page: Page, account: Account): Promise<void> {
    await page.goto('/login');
    await page
      .getByRole('main')
      .getByRole('link', { name: /forgot/i })
      .click();
    await expect(page).toHaveURL('/forgot-password');
    await page.getByLabel(/^e-?mail$/i).fill(account.email);
    await page.getByRole('button', { name: /reset link/i }).click();
    await expect(page.getByRole('main').getByText(account.email)).toBeVisible();
  }

  test('is replaced with the link in the e-mail, which ends every session', async ({
    page,
    browser,
    origin,
    problems,
    api,
    registerByApi,
  }) => {
    const account = newAccount();
    await registerByApi(account);
    const visitor = await browser.newContext({ baseURL: origin });
    const reset = await visitor.newPage();
    problems.watch(reset);
    await requestLink(reset, account);
    const link = await readResetLink(await api('admin'), account.email);

    const password = 'another-quiet-harbour';
    await reset.goto(link);
    await reset.getByLabel('New password').fill(password);
    await reset.getByRole('button', { name: 'Set new password' }).click();
    await expect(reset).toHaveURL('/login');

    problems.expect(/401 .*\/api\/auth\/login$/);
    await fillLogin(reset, account.username, account.password);
    await expect(reset.getByText('Invalid username or password')).toBeVisible();
    await fillLogin(reset, account.username, password);
    await expect(myAccount(reset)).toBeVisible();

    await page.goto('/library');
    await expect(page).toHaveURL('/login?next=%2Flibrary');

    problems.expect(/400 .*\/api\/auth\/reset-password\/confirm$/);
    await reset.goto(link);
    await reset.getByLabel('New password').fill('a-third-quiet-harbour');
    await reset.getByRole('button', { name: 'Set new password' }).click();
    await expect(reset.getByRole('main').getByRole('alert')).toBeVisible();
    await visitor.close();
  });

  test('shows its link in the outbox under the admin pages', async ({ page, api, signIn }) => {
    const email = 'premium@example.com';
    const answer = await (
      await api('visitor')
    ).post('/api/auth/reset-password/request', { data: { email } });
    expect(answer.ok(), await answer.text()).toBe(true);
    const link = await readResetLink(await api('admin'), email);

    await signIn('admin');
    await page.goto('/admin/outbox');
    const message = page.getByRole('main').getByRole('listitem').filter({ hasText: link });
    await expect(message).toContainText(`To ${email}`);
    await expect(message.getByRole('heading')).toBeVisible();
  });

  test('of an unknown address gets the same response', async ({ page }) => {
    await requestLink(page, newAccount());
  });
});

test.describe('the profile', () => {
  test('can be changed, and the header shows the change', async ({ page, registerByApi }) => {
    await registerByApi(newAccount('Lerato.Mokoena'));
    const renamed = newAccount('Zanele.Dube');
    await page.goto('/profile');
    await page.getByLabel('Username').fill(renamed.username);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(myAccount(page)).toHaveText('ZD');
    await page.reload();
    await expect(page.getByLabel('Username')).toHaveValue(renamed.username);
  });

  test('changes its address by the link to the new one, and the old one takes it back', async ({
    page,
    api,
    registerByApi,
  }) => {
    const account = newAccount();
    const newEmail = newAccount().email;
    const notice = page.getByRole('main').getByRole('alert');
    const email = page.getByLabel(/^e-?mail$/i);
    await registerByApi(account);
    const admin = await api('admin');

    await page.goto('/profile');
    await expect(notice).toContainText('Confirm your e-mail address');
    await page.goto(await readLink(admin, account.email, 'confirm-email'));
    await page.getByRole('button', { name: 'Confirm my e-mail address' }).click();
    await expect(page.getByText(`${account.email} is confirmed.`)).toBeVisible();

    await page.goto('/profile');
    await expect(notice).toHaveCount(0);
    await email.fill(newEmail);
    await page.getByLabel('Current password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(notice).toContainText(`Open the link we’ve sent to ${newEmail}`);
    await expect(email).toHaveValue(account.email);
    await page.goto(await readLink(admin, newEmail, 'confirm-email'));
    await page.getByRole('button', { name: 'Confirm my e-mail address' }).click();
    await expect(page.getByText(`${newEmail} is confirmed.`)).toBeVisible();

    await page.goto(await readLink(admin, account.email, 'undo-email-change'));
    await page.getByRole('button', { name: 'Take my account back' }).click();
    await page.getByLabel('New password').fill('another-quiet-harbour');
    await page.getByRole('button', { name: 'Set new password' }).click();
    await expect(page).toHaveURL('/login');
    await fillLogin(page, account.email, 'another-quiet-harbour');
    await expect(myAccount(page)).toBeVisible();
  });

  test('accepts a picture and shows the initials again after removing it', async ({
    page,
    problems,
    registerByApi,
  }) => {
    await registerByApi(newAccount('Sipho.Khumalo'));
    const background = { r: 200, g: 40, b: 90 };
    const buffer = await sharp({ create: { width: 640, height: 400, channels: 3, background } })
      .png()
      .toBuffer();
    await page.goto('/profile');
    await page
      .getByLabel(/picture/i)
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    const picture = myAccount(page).locator('img');
    await expect(picture).toBeVisible();
    const me = (await (await page.request.get('/api/auth/me')).json()) as { avatarUrl: string };
    await expect(picture).toHaveAttribute('src', me.avatarUrl);
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0);

    await page.getByRole('button', { name: 'Remove picture' }).click();
    await expect(myAccount(page)).toHaveText('SK');

    // A file that only claims to be a picture is rejected.
    problems.expect(/422 .*\/avatar$/);
    const script = Buffer.from('<svg onload="alert(1)"/>');
    await page
      .getByLabel(/picture/i)
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: script });
    await expect(page.getByText('Error', { exact: true })).toBeVisible();
    await expect(myAccount(page)).toHaveText('SK');
  });
});
