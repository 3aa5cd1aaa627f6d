import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { findAxeViolations } from '../support/axe.ts';
import { golden } from '../support/e2e-tracks.ts';
import { expect, test } from '../support/fixtures.ts';

/** A few days ago, so that other tests' plays don't count. */
test.beforeAll(() => {
  const database = new DatabaseSync(process.env.E2E_DATABASE ?? '', { timeout: 10_000 });
  database.exec(
    `insert or ignore into site_days (day, plays, subscriber_plays, listeners)
     values (date('now', '-3 days'), 12, 8, 5), (date('now', '-4 days'), 7, 2, 6)`,
  );
  database.exec(
    `insert or ignore into paid_spans (id, user_id, from_day, to_day, monthly, is_start, is_end)
     select 'span', id, date('now', '-9 days'), date('now', '+20 days'), 7900, 1, 1
     from users where username = 'premium';
     insert or ignore into subscription_days (day, started, ended, mrr)
     values (date('now', '-9 days'), 1, 0, 7900)`,
  );
  database.close();
});

test('an administrator reads the week, opens a report, changes the period and downloads it', async ({
  page,
  request: visitor,
  origin,
  signIn,
}) => {
  await signIn('admin');
  await page.goto('/admin');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Friday', level: 1 })).toBeVisible();
  await expect(main.getByRole('heading', { name: 'Needs a hand' })).toBeVisible();
  await expect(main.getByRole('heading', { name: /^How week \d+ went$/ })).toBeVisible();
  await expect(main.getByRole('link', { name: /listening now$/ })).toBeVisible();

  // When someone presses play, the live list updates by itself and shows their name.
  const listener = `listener-${randomUUID().slice(0, 8)}`;
  await visitor.post('/api/auth/register', {
    data: {
      username: listener,
      email: `${listener}@example.com`,
      password: 'correct horse battery',
      isSubscriber: false,
    },
    headers: { origin },
  });
  const stream = page.waitForResponse('**/api/live');
  await page.goto('/admin/reports/list?report=live&figure=listeners');
  await stream;
  await expect(main.getByRole('heading', { name: 'Listening now', level: 2 })).toBeVisible();
  await expect(main.getByRole('link', { name: listener })).toHaveCount(0);
  await visitor.post(`/api/tracks/${golden.id}/play`, { data: {}, headers: { origin } });
  await expect(
    main.getByRole('row').filter({ has: page.getByRole('link', { name: listener }) }),
  ).toContainText(golden.title);
  await page.goto('/admin');

  // The figure links to its report.
  await main.getByRole('link', { name: /^[\d,]+ plays? today$/ }).click();
  await expect(page).toHaveURL(/\/admin\/reports\?report=plays&from=/);
  await expect(main.getByRole('heading', { name: 'Plays', level: 2 })).toBeVisible();

  await main.getByRole('radio', { name: '7 days' }).check();
  const plot = main.getByRole('application', { name: /^Plays, Plays\. Use the arrow keys/ });
  await expect(plot.locator('rect.fill-action')).toHaveCount(7);
  await main.getByText(/^Show as a table \(7 rows\)$/).click();
  const table = main.getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(8);
  await expect(table.getByRole('columnheader', { name: 'By subscribers' })).toBeVisible();

  await main.getByRole('radio', { name: 'Custom' }).check();
  const choose = async (from: string, to: string) => {
    await main.getByLabel('From').fill(from);
    await main.getByLabel('To', { exact: true }).fill(to);
    await main.getByRole('button', { name: 'Apply', exact: true }).click();
  };
  await choose('2026-01-04', '2026-01-03');
  await expect(main.getByRole('alert')).toContainText('The start date is after the end date.');
  await choose('2026-01-01', '2026-01-03');
  await expect(page).toHaveURL(/from=2026-01-01&to=2026-01-03/);

  const download = page.waitForEvent('download');
  await main.getByRole('link', { name: 'CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/Plays.*\.csv$/);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toBe('\uFEFFDay,Plays,By subscribers,Previews');
  expect(lines.slice(1)).toEqual(['01', '02', '03'].map((day) => `2026-01-${day},0,0,0`));

  // The year of the show, without anybody's listening.
  await main.getByRole('button', { name: 'The year as a picture' }).click();
  await expect(
    page.getByRole('dialog').getByRole('img', { name: /^Every mix of the year, .* mixes?\./ }),
  ).toHaveJSProperty('naturalWidth', 1080);
  await page.keyboard.press('Escape');

  // A figure of subscribers links to those subscribers.
  await page.goto('/admin/reports?report=subscribers');
  await main.getByRole('link', { name: /^Active subscribers: .*Open list$/ }).click();
  await expect(
    main.getByRole('heading', { name: 'Subscribers: Active subscribers' }),
  ).toBeVisible();
  await expect(main.getByRole('columnheader', { name: 'Until' })).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  // On a phone the columns are labels inside the rows, and nothing scrolls sideways.
  await page.setViewportSize({ width: 320, height: 700 });
  const list = main.getByRole('region', { name: 'Subscribers: Active subscribers, as a list' });
  expect(await list.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await main.getByRole('table').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/admin\/subscribers\/./);
});

test('every report can be chosen by keyboard, arrow keys read its plot, and its bars are in proportion', async ({
  page,
  signIn,
}) => {
  await signIn('admin');
  await page.goto('/admin/reports');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Plays', level: 2 })).toBeVisible();
  const plot = main.locator('svg[tabindex="0"]').first();
  await expect(plot).toBeVisible();
  await plot.focus();
  await page.keyboard.press('ArrowRight');
  await expect(main.getByRole('status').getByText(/^Plays: \d/)).toBeVisible();

  // The reports are in a list next to the open one, or in a menu where there is no room.
  await page.setViewportSize({ width: 1440, height: 1000 });
  const links = main.getByRole('navigation', { name: 'Reports' }).getByRole('link');
  await expect(links).toHaveCount(18);
  for (const link of await links.all()) {
    await link.press('Enter');
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(main.getByRole('status', { name: 'Loading report' })).toHaveCount(0);
    await expect(main.locator('#report-title')).toBeVisible();
  }
  await page.setViewportSize({ width: 820, height: 1000 });
  await expect(links.first()).toBeHidden();
  await main.getByLabel('Report', { exact: true }).selectOption('Churn');
  await expect(main.getByRole('heading', { name: 'Churn', level: 2 })).toBeVisible();
  await expect(main.locator('svg').getByText(/^\d{3,}%$/)).toHaveCount(0);

  await main.getByLabel('Report', { exact: true }).selectOption('Preview to paid');
  const bars = main.locator('[data-share]');
  await expect(bars).toHaveCount(3);
  const drawn = await bars.evaluateAll((elements) =>
    elements.map((bar) => {
      const whole = bar.parentElement?.clientWidth ?? 1;
      const share = Number(bar.getAttribute('data-share'));
      return Math.abs(bar.getBoundingClientRect().width - Math.max(2, share * whole));
    }),
  );
  expect(Math.max(...drawn)).toBeLessThan(1);
});

test('the week shows without the listeners of now, and says if it can’t load itself', async ({
  page,
  signIn,
  problems,
}) => {
  problems.expect(/500 .*\/api\/admin\//);
  problems.expect(/status of 500 .*\/api\/admin\//);
  await signIn('admin');
  const body = { code: 'internal_error', message: 'Something went wrong.' };
  const fail = (path: string) =>
    page.route(path, (route) => route.fulfill({ status: 500, json: body }));
  await fail('**/api/admin/reports/live');
  await fail('**/api/admin/week');
  await page.goto('/admin');
  const main = page.getByRole('main');
  await expect(main.getByText('Couldn’t load this week.')).toBeVisible();
  await page.unroute('**/api/admin/week');
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(main.getByRole('link', { name: /plays? today$/ })).toBeVisible();
  await expect(main.getByRole('heading', { name: 'Needs a hand' })).toBeVisible();
  await expect(main.getByRole('link', { name: /listening now$/ })).toHaveCount(0);
});
