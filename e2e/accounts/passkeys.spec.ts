import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { DAY } from '#contract/rules/time.ts';
import { findFreePort } from '../../tools/testing/free-port.ts';
import { expect, newAccount, test as base } from '../support/fixtures.ts';
import { findErrorLines, serverEnv, startServerProcess } from '../support/server-process.ts';

/** A site with a name, because browsers have no passkeys for a bare address. */
const test = base.extend<{ site: string; dataDir: string }>({
  dataDir: async ({}, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'e2e-passkeys-'));
    await use(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  },
  site: async ({ context, dataDir }, use) => {
    const port = await findFreePort();
    const origin = `http://localhost:${port}`;
    const env = { ...serverEnv(port, dataDir), APP_ORIGIN: origin };
    const { server, output } = await startServerProcess(env, `http://127.0.0.1:${port}`);
    await use(origin);
    await context.close();
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    await exited;
    expect(findErrorLines(output), 'errors in the server log').toEqual([]);
  },
});

/** Chromium's own authenticator, with a finger that is always right. */
async function addAuthenticator(page: Page) {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { browser, authenticatorId };
}

async function register(page: Page, site: string) {
  const account = newAccount();
  const registered = await page.request.post(`${site}/api/auth/register`, {
    data: { ...account, isSubscriber: false },
    headers: { origin: site },
  });
  expect(registered.ok()).toBe(true);
  return account;
}

test('a member adds a passkey with the password, logs in with it, and removes it', async ({
  page,
  site,
  problems,
}) => {
  problems.expect(/403 .*\/api\/me\/passkeys\/options$/);
  problems.expect(/40[13] .*\/api\/(?:auth\/me|auth\/passkey)$/);
  const { browser, authenticatorId } = await addAuthenticator(page);
  const account = await register(page, site);

  await page.goto(`${site}/settings`);
  const security = page.getByRole('region', { name: 'Security', exact: true });
  await security.getByRole('button', { name: 'Add a passkey…' }).click();
  const question = page.getByRole('dialog', { name: 'Enter your password' });
  await question.getByLabel('Password', { exact: true }).fill(account.password);
  await question.getByRole('button', { name: 'Continue' }).click();
  const naming = page.getByRole('dialog', { name: 'Name this passkey' });
  await expect(naming.getByLabel('Name')).toHaveValue('Chrome on Linux');
  await naming.getByLabel('Name').fill('My work laptop');
  await naming.getByRole('button', { name: 'Save' }).click();
  const passkeys = security.getByRole('list', { name: 'Passkeys' });
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  const logOut = async () => {
    await sidebar.getByRole('button', { name: 'Logout' }).click();
    await expect(sidebar.getByRole('region', { name: 'Public Access' })).toBeVisible();
  };
  await expect(passkeys.getByRole('listitem')).toContainText('My work laptop');

  // The authenticator refuses a second one for the same account.
  await security.getByRole('button', { name: 'Add a passkey…' }).click();
  await expect(
    page.getByText('This device already has a passkey for your account.', { exact: true }),
  ).toBeVisible();

  await logOut();
  await page.goto(`${site}/login`);
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(page).toHaveURL(`${site}/`);
  await page.goto(`${site}/settings`);
  await expect(passkeys.getByRole('listitem')).toContainText(/last used on/);

  // Another session, so the password is needed again.
  problems.expect(/403 .*\/api\/me\/passkeys\/\w+$/);
  await passkeys.getByRole('button', { name: 'Remove My work laptop' }).click();
  await question.getByLabel('Password', { exact: true }).fill(account.password);
  await question.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByText('Passkey removed', { exact: true })).toBeVisible();
  await expect(passkeys).toHaveCount(0);

  // The device still has it, but the server doesn't know it any more.
  await logOut();
  await page.goto(`${site}/login`);
  await main.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(main.getByRole('alert')).toHaveText(
    'This passkey wasn’t accepted. Try again, or use your password.',
  );
  const { credentials } = await browser.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
});

test('an administrator has until a day, and then adds a passkey to open the admin pages', async ({
  page,
  site,
  dataDir,
  problems,
}) => {
  problems.expect(/403 .*\/api\/me\/passkeys\/options$/);
  // The admin page that is open when the time ends.
  problems.expect(/403 .*\/api\/admin\//);
  await addAuthenticator(page);
  const account = await register(page, site);
  const setGrace = (until: number) => {
    const database = new DatabaseSync(join(dataDir, 'database.sqlite'), { timeout: 10_000 });
    database.prepare('update users set is_admin = 1, admin_grace_until = ?').run(until);
    database.close();
  };
  setGrace(Date.UTC(2040, 4, 16, 12));
  await page.goto(`${site}/admin`);
  const main = page.getByRole('main');
  await expect(main.getByText('Set up two-step login or a passkey by 16 May 2040')).toBeVisible();
  await expect(main.getByRole('navigation', { name: 'Admin' })).toBeVisible();

  setGrace(Date.now() - DAY);
  await page.goto(`${site}/admin/settings`);
  await expect(main.getByText('Set up two-step login or a passkey to continue')).toBeVisible();
  await expect(main.getByRole('navigation', { name: 'Admin' })).toHaveCount(0);
  await main.getByRole('link', { name: 'Open security settings' }).click();
  await expect(page).toHaveURL(`${site}/settings#security`);
  const security = page.getByRole('region', { name: 'Security', exact: true });
  await expect(security.getByRole('heading', { name: 'Password' })).toBeInViewport();
  await security.getByRole('button', { name: 'Add a passkey…' }).click();
  const question = page.getByRole('dialog', { name: 'Enter your password' });
  await question.getByLabel('Password', { exact: true }).fill(account.password);
  await question.getByRole('button', { name: 'Continue' }).click();
  const naming = page.getByRole('dialog', { name: 'Name this passkey' });
  await naming.getByRole('button', { name: 'Save' }).click();
  await expect(security.getByRole('list', { name: 'Passkeys' })).toBeVisible();

  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  await sidebar.getByRole('link', { name: 'Admin Dashboard' }).click();
  await expect(main.getByRole('navigation', { name: 'Admin' })).toBeVisible();
  await expect(main.getByText(/^Set up two-step login/)).toHaveCount(0);
});
