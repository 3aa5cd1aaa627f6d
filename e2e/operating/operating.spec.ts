import { request } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Week } from '#contract/admin/week.ts';
import type { SiteSettings } from '#contract/admin/settings.ts';
import { DEMO_PASSWORD, expect, newAccount, test, type Account } from '../support/fixtures.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

async function registerElsewhere(origin: string, account: Account): Promise<void> {
  const context = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  const data = { ...account, isSubscriber: false };
  const answer = await context.post('/api/auth/register', { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  await context.dispose();
}

async function tryLogin(origin: string, { username, password }: Account): Promise<number> {
  const context = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  const answer = await context.post('/api/auth/login', { data: { username, password } });
  await context.dispose();
  return answer.status();
}

/** As a worker leaves it that has given up, some days ago. */
function addFailedJob(): string {
  const database = new DatabaseSync(process.env.E2E_DATABASE ?? '', { timeout: 10_000 });
  const id = randomUUID();
  const error = `The disk is full (${id.slice(0, 8)}).`;
  const then = Date.now() - 3 * DAY;
  database
    .prepare(
      `insert into jobs (id, name, lane, payload, state, run_at, attempts, max_attempts, last_error, created_at, updated_at)
       values (?, 'delete-letter-picture', 'housekeeping', '{"key":"avatars/none.webp"}', 'dead', ?, 10, 10, ?, ?, ?)`,
    )
    .run(id, then, error, then, then);
  database.close();
  return error;
}

/** As jobs wait whose time is far away. `kinds` are their names and lanes. */
function addWaitingJobs(kinds: readonly (readonly [name: string, lane: string])[]): void {
  const database = new DatabaseSync(process.env.E2E_DATABASE ?? '', { timeout: 10_000 });
  const insert = database.prepare(
    `insert into jobs (id, name, lane, payload, state, run_at, attempts, max_attempts, created_at, updated_at)
     values (?, ?, ?, '{"trackId":"none","name":"none.png","userId":"none"}', 'ready', ?, 0, 10, ?, ?)`,
  );
  const now = Date.now();
  for (const [name, lane] of kinds) insert.run(randomUUID(), name, lane, now + DAY, now, now);
  database.close();
}

/** As when an e-mail has come back. */
function refuseMail(email: string): void {
  const database = new DatabaseSync(process.env.E2E_DATABASE ?? '', { timeout: 10_000 });
  database
    .prepare(`insert into refused_addresses values (?, ?, '550 5.1.1 User unknown', 'bounce')`)
    .run(email.toLowerCase(), Date.now());
  database.close();
}

test('an administrator grants access, disables an account and re-enables it, and the audit log shows all of it', async ({
  page,
  signIn,
  origin,
}) => {
  const account = newAccount('Zodwa.Dlamini');
  await registerElsewhere(origin, account);
  refuseMail(account.email);
  await signIn('admin');
  // As a figure of the reports leads here.
  await page.goto('/admin/subscribers?filter=free');
  await expect(page.getByRole('combobox', { name: 'Filter by status' })).toHaveValue('free');
  await page.getByRole('searchbox', { name: 'Search by name or e-mail' }).fill(account.email);
  await page
    .getByRole('list', { name: 'Members' })
    .getByRole('link', { name: account.username })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: account.username })).toBeVisible();
  await expect(page.getByText('No payments or grants on record.')).toBeVisible();
  await expect(page.getByText('An e-mail came back: 550 5.1.1 User unknown')).toBeVisible();
  await page.getByRole('button', { name: 'Send e-mails again' }).click();
  await expect(page.getByText(/^E-mails stopped on /)).toBeHidden();

  await page.getByRole('button', { name: 'Grant access' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Length').fill('2');
  await dialog.getByRole('button', { name: 'Grant access' }).click();
  await expect(dialog.getByText('Enter a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Won the competition.');
  await dialog.getByRole('button', { name: 'Grant access' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('list', { name: 'Payment history' })).toContainText(
    'Won the competition.',
  );

  await page.getByRole('button', { name: 'Disable account' }).click();
  await dialog.getByLabel('Reason').fill('Shares the password.');
  await dialog.getByRole('button', { name: 'Disable account' }).click();
  await expect(page.getByText(/^Disabled since /)).toBeVisible();
  expect(await tryLogin(origin, account)).toBe(403);
  await page.getByRole('button', { name: 'Enable account' }).click();
  await dialog.getByLabel('Reason').fill('Promised not to.');
  await dialog.getByRole('button', { name: 'Enable account' }).click();
  await expect(page.getByText(/^Disabled since /)).toBeHidden();
  expect(await tryLogin(origin, account)).toBe(200);

  await page.getByRole('link', { name: 'System', exact: true }).click();
  await page.getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('list', { name: 'Audit log' });
  const { username } = account;
  for (const sentence of [
    `admin let e-mails go to ${username} again`,
    `admin gave ${username} access until`,
    `admin disabled the account of ${username}`,
    `admin enabled the account of ${username} again`,
  ])
    await expect(log.getByRole('listitem').filter({ hasText: sentence })).toHaveCount(1);
  await log.getByRole('link', { name: username }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible();
});

test('making an administrator asks for the password again, on a phone too', async ({
  page,
  context,
  origin,
  problems,
}) => {
  problems.expect(/403 .*\/admin$/);
  problems.expect(/403 .*\/api\/me\/confirm$/);
  const account = newAccount('Nomsa.Khumalo');
  await registerElsewhere(origin, account);
  // A login of its own: the others share one, which may have entered the password.
  const data = { username: 'admin', password: DEMO_PASSWORD };
  await context.request.post('/api/auth/login', { data, headers: { origin } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/subscribers');
  await page.getByRole('searchbox', { name: 'Search by name or e-mail' }).fill(account.email);
  await page
    .getByRole('list', { name: 'Members' })
    .getByRole('link', { name: account.username })
    .click();
  await page.getByRole('button', { name: 'Make administrator' }).click();
  const action = page.getByRole('dialog', { name: 'Make administrator' });
  await action.getByLabel('Reason').fill('Looks after the uploads.');
  await action.getByRole('button', { name: 'Make administrator' }).click();

  const question = page.getByRole('dialog', { name: 'Enter your password' });
  await question.getByRole('button', { name: 'Close' }).click();
  await expect(action.getByRole('alert')).toHaveText('Enter your password to continue.');
  await action.getByRole('button', { name: 'Make administrator' }).click();
  const password = question.getByLabel('Password', { exact: true });
  await password.fill('not-the-password');
  await question.getByRole('button', { name: 'Continue' }).click();
  await expect(password).toHaveAccessibleDescription('This isn’t your current password.');
  await password.fill(DEMO_PASSWORD);
  await password.press('Enter');
  await expect(
    page.getByText(`${account.username} is now an administrator`, { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // For some minutes, this device isn't asked again.
  await page.getByRole('button', { name: 'Remove administrator' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove administrator' });
  await removal.getByLabel('Reason').fill('Only for today.');
  await removal.getByRole('button', { name: 'Remove administrator' }).click();
  await expect(
    page.getByText(`${account.username} is no longer an administrator`, { exact: true }),
  ).toBeVisible();
});

test('an administrator sees another administrator’s change of the settings, and retries a failed job', async ({
  page,
  signIn,
  api,
  problems,
}) => {
  problems.expect(/409 .*\/api\/admin\/settings$/);
  problems.expect(/status of 409 .*\/api\/admin\/settings$/);
  await signIn('admin');
  const admin = await api('admin');
  await page.goto('/admin/settings/system');
  const bar = page.getByRole('group', { name: 'Unsaved changes' });
  await expect(bar).toBeHidden();
  const days = page.getByLabel('Keep analytics events (days)');
  await days.fill('5');
  await expect(bar).toContainText(/^Keep analytics events \(days\): \d+ → 5/);
  await bar.getByRole('button', { name: 'Save' }).click();
  await expect(days).toBeFocused();
  await expect(page.getByText('Enter a number of days from 30 to 3650.')).toBeVisible();
  const { version } = (await (await admin.get('/api/admin/settings')).json()) as SiteSettings;
  const data = { version, values: { eventsDays: 399 } };
  expect((await admin.patch('/api/admin/settings', { data })).ok()).toBe(true);
  await days.fill('401');
  await bar.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/Someone else changed the settings/)).toBeVisible();
  await page.getByRole('button', { name: 'Load current settings' }).click();
  await expect(bar).toContainText('Keep analytics events (days): 399 → 401');
  // What is changed meanwhile on another page doesn’t matter.
  const other = { version: version + 1, values: { chargesPerHour: 499 } };
  expect((await admin.patch('/api/admin/settings', { data: other })).ok()).toBe(true);
  await bar.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved', { exact: true })).toBeVisible();
  await expect(bar).toBeHidden();
  await expect(days).toBeFocused();
  await days.fill('402');
  await bar.getByRole('button', { name: 'Discard' }).click();
  await expect(days).toHaveValue('401');
  await expect(bar).toBeHidden();

  const error = addFailedJob();
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  const job = page.getByRole('listitem').filter({ hasText: error });
  await job.getByRole('button', { name: 'Retry Delete a picture of a letter' }).click();
  await expect(job).toBeHidden();
  await expect(page.getByRole('list', { name: 'Schedules' })).toContainText(
    'Clean up expired data',
  );
  await page.getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('list', { name: 'Audit log' });
  await expect(log).toContainText('admin retried “Delete a picture of a letter”');
  await expect(log).toContainText(
    'admin changed the time that events are kept from 399 days to 401 days',
  );
});

test('an administrator sees every e-mail with words that are being typed, and sends a test', async ({
  page,
  signIn,
}) => {
  await signIn('admin');
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Releases and mail' }).click();
  const pace = page.getByLabel('At most … e-mails an hour');
  await pace.fill('0');
  await expect(page.getByText(/^[\d,]+ members?: as fast as the mail server/)).toBeVisible();
  await pace.fill('300');
  await expect(page.getByText(/^[\d,]+ members?: (?:about|less than)/)).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();

  await page.getByRole('link', { name: 'E-mails', exact: true }).click();
  const greeting = page.getByLabel('Greeting');
  const mail = page.frameLocator('iframe');
  await greeting.fill('Howzit {nickname}!');
  const problem = page.getByText('{nickname} means nothing here. You can use {name} and {site}.');
  await expect(problem).toBeVisible();
  await expect(mail.getByText('Hello admin,')).toBeVisible();
  await greeting.fill('Howzit {name}!');
  await expect(problem).toBeHidden();
  await expect(mail.getByText('Howzit admin!')).toBeVisible();
  await expect(mail.getByRole('link', { name: /^Play week/ })).toBeVisible();
  await page.getByRole('combobox', { name: 'E-mail' }).selectOption('payment-receipt');
  await expect(mail.getByRole('link', { name: 'View or print your invoice' })).toBeVisible();
  await page.getByRole('radio', { name: 'Text' }).check();
  await expect(page.getByText(/^Howzit admin!\n\nThanks!/)).toBeVisible();
  await page.getByRole('button', { name: 'Send a test to me' }).click();
  await expect(page.getByText(/^The test to \S+ is in the outbox\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('an administrator runs a waiting job now, discards another, and pauses a lane until it goes on', async ({
  page,
  signIn,
}) => {
  addWaitingJobs([
    ['push-release-notice', 'notices'],
    ['delete-letter-picture', 'files'],
  ]);
  await signIn('admin');
  await page.goto('/admin/jobs?state=waiting&lane=files');
  const jobs = page.getByRole('list', { name: 'Jobs', exact: true });
  const replaced = jobs.getByRole('listitem').filter({ hasText: 'Delete a picture of a letter' });
  await expect(replaced).toHaveCount(1);
  await expect(replaced.getByRole('button', { name: /^Discard/ })).toBeHidden();
  await replaced.getByRole('button', { name: 'Run now Delete a picture of a letter' }).click();
  await expect(replaced).toBeHidden();

  await page.getByRole('combobox', { name: 'Filter by lane' }).selectOption('All lanes');
  await page
    .getByRole('combobox', { name: 'Filter by kind' })
    .selectOption('Send a release notice');
  const notice = jobs.getByRole('listitem').filter({ hasText: 'Send a release notice' });
  await notice.getByRole('button', { name: 'Discard Send a release notice' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard this job' });
  await expect(dialog).toContainText('won’t run. This can’t be undone.');
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(notice).toBeHidden();

  await page.getByRole('button', { name: 'Pause: Send a release notice' }).click();
  const paused = page.getByRole('list', { name: 'Paused' });
  await expect(paused).toContainText(/Send a release notice paused .* by admin/);
  await page.goto('/admin');
  const attention = page.getByRole('region', { name: 'Needs a hand' });
  await attention.getByText('What is looked at').click();
  await expect(attention.getByRole('listitem').filter({ hasText: 'Disk' })).toContainText(
    /now|ago|second|minute/,
  );
  await attention
    .getByRole('link', { name: 'Paused until you let them go on: Send a release notice.' })
    .click();
  await paused.getByRole('button', { name: 'Let go on: Send a release notice' }).click();
  await expect(paused).toBeHidden();
  await page.getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('list', { name: 'Audit log' });
  for (const sentence of [
    'admin ran “Delete a picture of a letter” before its time',
    'admin discarded “Send a release notice”',
    'admin paused “Send a release notice”',
    'admin let “Send a release notice” go on',
  ])
    await expect(log.getByRole('listitem').filter({ hasText: sentence })).toHaveCount(1);
});

test('an administrator whose device tells another time than the server is told which, until they agree', async ({
  page,
  signIn,
}) => {
  await signIn('admin');
  const attention = page.getByRole('region', { name: 'Needs a hand' });
  const clock = attention.getByText('This device’s clock is');
  // As if the server were three hours slow: that is all that a browser can see of it.
  await page.clock.setFixedTime(Date.now() + 3 * HOUR);
  await page.goto('/admin');
  await expect(clock).toContainText('3 hours ahead of the server’s.');
  await page.clock.setFixedTime(Date.now());
  await page.reload();
  await expect(attention).toBeVisible();
  await expect(clock).toBeHidden();
});

test('what needs a hand comes before the mix: for eyes, keyboards and screen readers', async ({
  page,
  signIn,
}) => {
  await signIn('admin');
  // A job that really failed would be in the way of tests that run beside this one.
  await page.route('**/api/admin/week*', async (route) => {
    const response = await route.fetch();
    const week = (await response.json()) as Week;
    const failed = { kind: 'dead-jobs', count: 1, text: '1 job has failed.', href: '/admin/jobs' };
    await route.fulfill({ response, json: { ...week, attention: [failed] } });
  });
  await page.goto('/admin');
  const headings = page.getByRole('main').getByRole('heading', { level: 2 });
  const attention = page.getByRole('region', { name: 'Needs a hand' });
  await expect(headings.first()).toHaveText('Needs a hand');
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const [top, next] = [await attention.boundingBox(), await headings.nth(1).boundingBox()];
    expect(top?.y ?? 0).toBeLessThan(next?.y ?? 0);
  }
  // On a phone no menu stands before it.
  const firstLink = page.getByRole('main').getByRole('link').first();
  await expect(firstLink.and(attention.getByRole('link'))).toBeVisible();
});
