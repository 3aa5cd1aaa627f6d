import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { PREVIEW_LENGTH_TEXT } from '#contract/rules/preview.ts';
import { startSmtpServer, type TestSmtp } from '#server/testing/smtp-server.ts';
import { writeToneWav } from '#server/testing/tone-wav.ts';
import { payWith } from '../paying/payment-page.ts';
import { expect, test as base } from '../support/own-server.ts';

const test = base.extend<{ smtp: TestSmtp }>({
  smtp: async ({}, use) => {
    const smtp = await startSmtpServer();
    await use(smtp);
    await smtp.close();
  },
  // A site outside demo mode, with months as long as they are.
  settings: async ({ smtp }, use) =>
    use((origin) => ({
      APP_ORIGIN: origin,
      SMTP_URL: smtp.url,
      MAIL_FROM: 'hello@example.com',
      SANDBOX_MONTH_SECONDS: undefined,
    })),
});

const OPERATOR = {
  username: 'naledi',
  email: 'naledi@example.com',
  password: 'quiet-harbour-23',
};
const FRIEND = { username: 'sipho', email: 'sipho@example.com', password: 'quiet-harbour-24' };

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name });

/** A page of another site sends this form at once, from a frame that may have no origin. */
async function sendFromOtherSite(page: Page, action: string, sandbox: string) {
  const fields = { username: 'mallory', email: 'mallory@example.com', password: 'quiet-harbour-9' };
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  const frame = `<form method="post" target="_top" action="${action}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`;
  const body = `<!doctype html><link rel="icon" href="data:,"><iframe ${sandbox} srcdoc="${frame.replaceAll('"', '&quot;')}"></iframe>`;
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(body),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answered = page.waitForResponse(action);
  // Another site than 127.0.0.1.
  const otherSite = `http://localhost:${(server.address() as AddressInfo).port}`;
  await page.goto(otherSite, { waitUntil: 'commit' });
  const answer = await answered;
  await expect(page.getByText('This request came from another site')).toBeVisible();
  const { origin, 'sec-fetch-site': site } = await answer.request().allHeaders();
  server.close();
  return { status: answer.status(), origin: origin === otherSite ? 'other' : origin, site };
}

async function refuseForeignForms(page: Page, link: string): Promise<void> {
  const fromAPage = await sendFromOtherSite(page, link, '');
  expect(fromAPage).toEqual({ status: 403, origin: 'other', site: 'cross-site' });
  const sandbox = 'sandbox="allow-forms allow-scripts allow-top-navigation"';
  const fromAFrame = await sendFromOtherSite(page, link, sandbox);
  expect(fromAFrame).toEqual({ status: 403, origin: 'null', site: 'cross-site' });
}

async function fillAccount(form: Page | Locator, account: typeof OPERATOR): Promise<void> {
  await form.getByLabel('Username').fill(account.username);
  await form.getByLabel('E-mail').fill(account.email);
  await form.getByLabel('Password', { exact: true }).fill(account.password);
  await form.getByRole('button', { name: 'Create account' }).click();
}

const wav = (name: string, seconds: number) => ({
  name,
  mimeType: 'audio/wav',
  buffer: writeToneWav({ seconds, loudFrom: 0 }),
});

/** What is left before the first listener. */
const listOf = (page: Page) => page.getByRole('region', { name: 'Before the first listener' });
const lineOf = (page: Page, name: string) =>
  listOf(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

async function expectDone(page: Page, ...names: string[]): Promise<void> {
  await expect(listOf(page)).toContainText(
    names.length === 0 ? '0 of 7 done' : `${names.length} of 7 done: ${names.join(', ')}`,
  );
  for (const name of names) await expect(lineOf(page, name)).toHaveCount(0);
}

const openFriday = (page: Page) =>
  page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Friday' }).click();

/** Waits for a mail to this address and reads the link in it. */
async function readLink(smtp: TestSmtp, to: string, path: string): Promise<string> {
  const find = async () => {
    const mails = (await smtp.received()).filter((mail) => mail.to?.[0]?.address === to);
    const text = mails.map((mail) => mail.text ?? '').join('\n');
    return new RegExp(`http\\S+/${path}/[\\w-]+`).exec(text)?.[0];
  };
  await expect.poll(find).toBeDefined();
  return (await find()) ?? '';
}

// An evening is long, and other tests run beside it.
test.describe.configure({ timeout: 400_000 });

test('a new operator goes from the console’s link to a mix that is out and a payment, by what the pages say', async ({
  browser,
  ownServer: { origin, readOutput, withDatabase },
  smtp,
  page,
  context,
  problems,
}) => {
  problems.expect(/40[03]/);
  const link = /http\S+\/setup\/\S+/.exec(readOutput())?.[0] ?? '';
  expect(link).toContain(`${origin}/setup/`);
  const main = page.getByRole('main');
  const status = main.getByRole('region', { name: /^Nightshift/ }).getByRole('status');

  await test.step('the link takes no form of another site, and says what is wrong with one of ours', async () => {
    await refuseForeignForms(page, link);
    const countUsers = () =>
      withDatabase((database) => database.prepare('select count(*) as n from users').get());
    expect(countUsers()).toEqual({ n: 0 });
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const setup = await plain.newPage();
    await setup.goto(link);
    await fillAccount(setup, { ...OPERATOR, password: 'password' });
    await expect(setup.getByRole('alert')).toBeVisible();
    await plain.close();
  });

  await test.step('four steps lead from the link to a mix that is out', async () => {
    // 1: the link. 2: the account.
    await page.goto(link);
    await fillAccount(page, OPERATOR);
    await page.waitForURL(`${origin}/admin`);
    await expect(main.getByText('Nothing is out yet.')).toBeVisible();
    expect(await page.evaluate(() => document.referrer)).not.toContain('/setup/');
    await expectDone(page);
    // 3: the file, on the page that the account leads to.
    await main.getByLabel('Audio file').setInputFiles(wav('nightshift.wav', 25));
    const publish = main.getByRole('button', { name: 'Publish now and e-mail 1 member' });
    await expect(publish).toBeVisible();
    await expect(status).toHaveText('Draft: only administrators can hear it.');
    // 4: the button. Pressing it twice publishes once.
    await publish.dblclick();
    await expect(main.getByRole('heading', { name: 'Nightshift is out' })).toBeVisible();
    await expect(status).toHaveText('1 member gets an e-mail in the next minutes.');
    await expectDone(page, 'First mix');
    await main.getByRole('button', { name: 'Share it' }).click();
    const shared = page.getByRole('dialog').getByRole('textbox', { name: 'Link' });
    await expect(shared).toHaveValue(/\/track\//);
    await page.keyboard.press('Escape');
  });

  await test.step('the list tries the mail server, and asks who sells', async () => {
    await lineOf(page, 'E-mail').getByRole('button', { name: 'Send a test' }).click();
    await expectDone(page, 'First mix', 'E-mail');
    const subjects = (await smtp.received())
      .filter((mail) => mail.to?.[0]?.address === OPERATOR.email)
      .map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringMatching(/test/i));

    await lineOf(page, 'Seller details').getByRole('link', { name: 'Enter who sells' }).click();
    const seller = {
      'Legal name': 'Naledi Khumalo',
      'Legal status': 'Sole proprietor',
      Address: '1 Long Street, Cape Town',
      'Phone number': '+27 21 555 0100',
      'E-mail address': 'hello@example.com',
    };
    for (const [label, value] of Object.entries(seller))
      await main.getByRole('textbox', { name: label, exact: true }).fill(value);
    await main.getByRole('button', { name: /^Save/ }).click();
    await expect(page.getByText('Settings saved', { exact: true })).toBeVisible();
    await openFriday(page);
    await expectDone(page, 'First mix', 'E-mail', 'Seller details');
  });

  await test.step('the list says what to click until real money arrives', async () => {
    const payments = lineOf(page, 'Payments');
    await expect(payments).toContainText('Test mode: only test cards can pay');
    await payments.getByText('Connect Paystack').click();
    await expect(payments).toContainText(`${origin}/api/webhooks/paystack`);
    await expect(payments).toContainText('PAYSTACK_SECRET_KEY=');
    await lineOf(page, 'Name and look').getByRole('button', { name: 'Skip' }).click();
    await expect(lineOf(page, 'Name and look')).toHaveCount(0);
  });

  const friends = await browser.newContext();
  const friend = await friends.newPage();
  problems.watch(friend);
  await test.step('somebody hears a preview, registers, and pays with a test card', async () => {
    await friend.goto(origin);
    await friend.getByRole('complementary').getByRole('link', { name: 'Register' }).first().click();
    await fillAccount(friend.getByRole('main'), FRIEND);
    await expect(friend.getByRole('button', { name: 'My Account' })).toBeVisible();
    const heard = friend.waitForResponse('**/api/tracks/*/play');
    await friend.getByRole('button', { name: 'Play preview' }).first().click();
    expect((await heard).ok()).toBe(true);
    await friend.goto(await readLink(smtp, FRIEND.email, 'confirm-email'));
    await friend
      .getByRole('main')
      .getByRole('button', { name: /confirm/i })
      .click();
    await expect(friend.getByText(/confirmed/i).first()).toBeVisible();

    await friend.getByRole('banner').getByRole('link', { name: 'Upgrade to Premium' }).click();
    const upgrade = friend.getByRole('main').getByRole('button', { name: 'Upgrade to Premium' });
    await upgrade.click();
    await payWith(friend, 'Successful card');
    await expect(heading(friend, 'You have Premium')).toBeVisible();
    await friends.close();
  });

  await test.step('Friday knows who joined, and whom the next mix reaches', async () => {
    await page.reload();
    await expectDone(page, 'First mix', 'E-mail', 'Seller details', 'Invite people');
    const people = main.getByRole('region', { name: /’s release$/ });
    await expect(people.getByRole('link', { name: '1 joined' })).toBeVisible();
    await expect(people.getByRole('link', { name: '0 left' })).toBeVisible();
    await expect(people).toContainText(/Joined after a preview of Nightshift, week \d+ \(1\)\./);

    // The quick form takes the details while the file uploads.
    const released = Promise.withResolvers<void>();
    await page.route('**/api/admin/uploads/*', async (route) => {
      const offset = Number(route.request().headers()['upload-offset'] ?? 0);
      if (route.request().method() === 'PATCH' && offset > 0) await released.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Upload', exact: true }).click();
    await main.getByRole('link', { name: 'quick form' }).click();
    await expect(main.getByLabel('Audio file')).not.toHaveAttribute('multiple');
    await main.getByLabel('Audio file').setInputFiles(wav('short.wav', 26));
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Title').fill('In short');
    await expect(sheet.getByText(`The loudest ${PREVIEW_LENGTH_TEXT}.`)).toBeVisible();
    await sheet.getByLabel('Start of the preview').fill('4');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    released.resolve();
    // One click leads from the upload to its release.
    await main.getByRole('link', { name: 'Publish or schedule In short' }).click();
    await expect(main.getByRole('link', { name: /^Audio.*preview 0:04–0:24/ })).toBeVisible();
    await expect(main.getByRole('button', { name: /^Schedule for / })).toBeVisible();
    await main.getByRole('button', { name: 'Publish now and e-mail 2 members' }).click();
    await expect(main.getByRole('heading', { name: 'In short is out' })).toBeVisible();
    await expect(main.getByText('2 members get an e-mail in the next minutes.')).toBeVisible();
  });

  await test.step('the payment goes back', async () => {
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    const members = main.getByRole('list', { name: 'Members' });
    await members.getByRole('link', { name: FRIEND.username }).click();
    await main.getByRole('button', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund' });
    await dialog.getByLabel('Reason').fill('Only a test.');
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Enter your password' });
    await question.getByLabel('Password', { exact: true }).fill(OPERATOR.password);
    await question.getByRole('button', { name: 'Continue' }).click();
    await expect(main.getByText('Refunded').first()).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await openFriday(page);
    await expect(main.getByText('Left: Refunded (1).')).toBeVisible();
  });

  await test.step('the operator logs in later, and the link leads nowhere', async () => {
    // Nothing of the page may still be asking.
    await page.goto('about:blank');
    await context.clearCookies();
    problems.expect(/404.* \/admin$/);
    await page.goto(`${origin}/admin`);
    await page.getByLabel('Username').fill(OPERATOR.username);
    await page.getByLabel('Password', { exact: true }).fill(OPERATOR.password);
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await page.waitForURL(`${origin}/admin`);
    await expect(heading(page, 'Friday')).toBeVisible();
    problems.expect(/404 .*\/setup\//);
    await page.goto(link);
    await expect(heading(page, 'Page not found')).toBeVisible();
  });
});
