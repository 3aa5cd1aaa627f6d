import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { Secret, TOTP } from 'otpauth';
import { expect, newAccount, readLink, test } from '../support/fixtures.ts';
import { forceColors, measureInk } from '../support/forced-colors.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const myAccount = (page: Page) => page.getByRole('button', { name: 'My Account' });

async function login(page: Page, username: string, password: string): Promise<void> {
  await page.goto('/login');
  const form = page.getByRole('main');
  await form.getByLabel(/^username/i).fill(username);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Login', exact: true }).click();
}

const codeFor = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

test('settings survive a reload, in the player and on the account', async ({
  page,
  registerByApi,
}) => {
  await registerByApi(newAccount());
  await page.goto('/settings');
  // Four sections, each a link away.
  const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
  await expect(links).toHaveText(['Listening', 'Elsewhere', 'Tell me', 'Account']);
  await links.last().click();
  await expect(section(page, 'Account')).toBeInViewport();
  await expect(links.last()).toHaveAttribute('aria-current', 'true');
  await expect(section(page, 'Podcast app').getByText('Off', { exact: true })).toHaveCount(0);
  await expect(section(page, 'Music apps').getByText('Off', { exact: true })).toBeVisible();
  await section(page, 'Listening').getByRole('radio', { name: 'Light' }).check();
  const playback = section(page, 'Listening');
  await playback.getByRole('radio', { name: 'Always' }).check();
  await playback.getByRole('radio', { name: '6 s' }).check();
  const volume = playback.getByRole('slider', { name: 'Volume' });
  await volume.press('End');

  const email = section(page, 'Tell me');
  const saved = () => page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await expect(email.getByRole('switch', { name: 'Payments and security' })).toBeDisabled();
  await expect(email.getByRole('switch', { name: 'New releases by e-mail' })).toBeChecked();
  const [releases] = await Promise.all([
    saved(),
    email.getByRole('switch', { name: 'New releases by e-mail' }).click(),
  ]);
  expect(releases.ok()).toBe(true);
  const statistics = section(page, 'Account').getByRole('switch', { name: 'Usage statistics' });
  await Promise.all([saved(), statistics.click()]);
  const readCopy = () => page.evaluate(() => localStorage.getItem('analytics-off'));
  await expect.poll(readCopy).toBe('1');

  await page.evaluate(() => localStorage.removeItem('analytics-off'));
  await page.reload();
  await expect(statistics).not.toBeChecked();
  await expect.poll(readCopy, 'A new device learns the choice from the account').toBe('1');
  await expect(email.getByRole('switch', { name: 'New releases by e-mail' })).not.toBeChecked();
  await expect(email.getByRole('switch', { name: 'Product news' })).not.toBeChecked();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(playback.getByRole('radio', { name: 'Always' })).toBeChecked();
  await expect(playback.getByRole('radio', { name: '6 s' })).toBeChecked();
  await expect(volume).toHaveAttribute('aria-valuetext', '100 percent');

  // In high contrast too: what is chosen, a switch and the ticks of the volume.
  await forceColors(page);
  const chosen = playback.locator('label', { hasText: 'Always' });
  const other = playback.locator('label', { hasText: 'Never' });
  expect(await measureInk(chosen)).toBeGreaterThan(0.5);
  expect(await measureInk(other)).toBeLessThan(0.5);
  expect(await measureInk(statistics)).toBeGreaterThan(0.1);
  expect(await measureInk(volume)).toBeGreaterThan(0.05);
});

test('logs out another device and changes the password', async ({
  page,
  browser,
  origin,
  problems,
  registerByApi,
}) => {
  const account = newAccount();
  await registerByApi(account);
  const other = await browser.newContext({ baseURL: origin });
  const phone = await other.newPage();
  problems.watch(phone);
  await login(phone, account.username, account.password);
  await expect(myAccount(phone)).toBeVisible();

  await page.goto('/settings');
  const devices = section(page, 'Security').getByRole('list', { name: 'Devices' });
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1);
  await devices.getByRole('button', { name: /^Log out/ }).click();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  // The page may request them before it notices that the session has ended.
  problems.expect(/401 .*\/api\/me\/preferences$/);
  await phone.goto('/settings');
  await expect(phone).toHaveURL('/login?next=%2Fsettings');

  problems.expect(/403 .*\/api\/me\/password$/);
  const security = section(page, 'Security');
  await security.getByRole('button', { name: 'Change password…' }).click();
  const password = 'another-quiet-harbour';
  await security.getByLabel('Current password').fill('not-the-password');
  await security.getByLabel('New password').fill(password);
  await security.getByRole('button', { name: 'Change password', exact: true }).click();
  await expect(security.getByLabel('Current password')).toHaveAccessibleDescription(
    'This isn’t your current password.',
  );
  await security.getByLabel('Current password').fill(account.password);
  await security.getByRole('button', { name: 'Change password', exact: true }).click();
  await expect(page.getByText('Password changed', { exact: true })).toBeVisible();
  await other.close();
});

test('two-step login needs a confirmed address, and then a code to log in and to change the password', async ({
  page,
  browser,
  origin,
  problems,
  registerByApi,
  api,
}) => {
  const account = newAccount();
  const { password } = account;
  await registerByApi(account);
  await page.goto('/settings');
  const security = section(page, 'Security');
  await expect(
    security.getByText(
      `Off. To turn it on, confirm your e-mail address first: open the link we’ve sent to ${account.email}.`,
    ),
  ).toBeVisible();
  await expect(security.getByRole('button', { name: 'Turn on…' })).toHaveCount(0);
  await security.getByRole('button', { name: 'Send the link again' }).click();
  await expect(page.getByText('Link sent', { exact: true })).toBeVisible();
  const mailbox = await page.context().newPage();
  problems.watch(mailbox);
  await mailbox.goto(await readLink(await api('admin'), account.email, 'confirm-email'));
  await mailbox.getByRole('button', { name: 'Confirm my e-mail address' }).click();
  await expect(mailbox.getByText(`${account.email} is confirmed.`)).toBeVisible();
  await mailbox.close();
  await page.reload();

  await security.getByRole('button', { name: 'Turn on…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(
    dialog.getByRole('img', { name: 'QR code for your authenticator app' }),
  ).toBeVisible();
  const secret = (await dialog.locator('code').innerText()).replace(/\s/g, '');
  await dialog.getByLabel(/^Code from/).fill(codeFor(secret, Date.now()));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [recoveryCode = '', secondCode = ''] = await codes.allInnerTexts();
  // A stray click beside the dialog doesn't take the codes away: they are shown only once.
  await page.mouse.click(5, 5);
  await expect(codes).toHaveCount(10);
  await dialog.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(security.getByText('10 recovery codes left')).toBeVisible();

  problems.expect(/401 .*\/api\/auth\/login$/);
  const other = await browser.newContext({ baseURL: origin });
  const phone = await other.newPage();
  problems.watch(phone);
  await login(phone, account.username, password);
  const code = phone.getByLabel(/^Code from/);
  await expect(code).toBeFocused();
  await code.fill('000000');
  await phone.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(code).toHaveAccessibleDescription(/This code is wrong/);
  // The code of the next 30 seconds: the current one has been used.
  await code.fill(codeFor(secret, Date.now() + 30_000));
  await phone.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(myAccount(phone)).toBeVisible();

  problems.expect(/401 .*\/api\/me\/password$/);
  // The change logs the phone out, which may still be loading.
  problems.expect(/401 .*\/api\/me\/preferences$/);
  await security.getByRole('button', { name: 'Change password…' }).click();
  const changed = 'another-quiet-harbour';
  await security.getByLabel('Current password').fill(password);
  await security.getByLabel('New password').fill(changed);
  await security.getByLabel(/^Code from/).fill('000000');
  await security.getByRole('button', { name: 'Change password', exact: true }).click();
  await expect(security.getByLabel(/^Code from/)).toHaveAccessibleDescription(/This code is wrong/);
  await security.getByLabel(/^Code from/).fill(secondCode);
  await security.getByRole('button', { name: 'Change password', exact: true }).click();
  await expect(security.getByLabel('Current password')).toHaveCount(0);

  await security.getByRole('button', { name: 'New recovery codes…' }).click();
  await dialog.getByLabel('Current password').fill(changed);
  await dialog.getByLabel(/^Code from/).fill(recoveryCode);
  await dialog.getByRole('button', { name: 'Generate new codes' }).click();
  await expect(codes).toHaveCount(10);
  const newCode = await codes.first().innerText();
  await dialog.getByRole('button', { name: 'I’ve saved them' }).click();

  await security.getByRole('button', { name: 'Turn off…' }).click();
  await dialog.getByLabel('Current password').fill(changed);
  await dialog.getByLabel(/^Code from/).fill(newCode);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(security.getByRole('button', { name: 'Turn on…' })).toBeVisible();
  await other.close();
});

test('a user downloads their data and deletes the account', async ({
  page,
  origin,
  problems,
  registerByApi,
}) => {
  const account = newAccount();
  await registerByApi(account);
  // Analytics would send requests in the first seconds, perhaps while the account is deleted.
  const choice = { data: { analytics: false }, headers: { origin } };
  expect((await page.request.patch('/api/me/preferences', choice)).ok()).toBe(true);
  await page.goto('/profile');
  await section(page, 'Your account').getByRole('link', { name: 'Settings' }).click();
  const privacy = section(page, 'Account');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    privacy.getByRole('link', { name: 'Download my data' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  const files = unzipSync(await readFile(await download.path()));
  const [owner] = JSON.parse(strFromU8(files['account.json'] ?? new Uint8Array())) as object[];
  expect(owner).toMatchObject({ username: account.username, email: account.email });

  await privacy.getByRole('button', { name: 'Delete my account…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(account.password);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  const word = dialog.getByLabel('Type delete to confirm');
  await expect(word).toHaveAccessibleDescription('Type delete to confirm.');
  await word.fill('delete');
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText('Your account has been deleted', { exact: true })).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(myAccount(page)).toHaveCount(0);

  problems.expect(/401 .*\/api\/auth\/login$/);
  await login(page, account.username, account.password);
  await expect(page.getByText('Invalid username or password')).toBeVisible();
});
