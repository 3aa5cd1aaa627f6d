import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../tools/testing/free-port.ts';
import { expect, newAccount, test as base } from './fixtures.ts';
import { findErrorLines, serverEnv, startServerProcess } from './server-process.ts';

/** A site with a name, because browsers have no passkeys for a bare address. */
const test = base.extend<{ site: string }>({
  site: async ({ context }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'e2e-passkeys-'));
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
    await rm(dataDir, { recursive: true, force: true });
  },
});

test('a member adds a passkey with the password, logs in with it, and removes it', async ({
  page,
  context,
  site,
  problems,
}) => {
  problems.expect(/403 .*\/api\/me\/passkeys\/options$/);
  problems.expect(/40[13] .*\/api\/(?:auth\/me|auth\/passkey)$/);
  // Chromium's own authenticator, with a finger that is always right.
  const browser = await context.newCDPSession(page);
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
  const account = newAccount();
  const registered = await context.request.post(`${site}/api/auth/register`, {
    data: { ...account, isSubscriber: false },
    headers: { origin: site },
  });
  expect(registered.ok()).toBe(true);

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
