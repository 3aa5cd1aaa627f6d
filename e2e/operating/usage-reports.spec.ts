import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { parsePeriod } from '#contract/admin/book-periods.ts';
import { listReportPeriods } from '#contract/admin/usage-reports.ts';
import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { addDays, addMonths, monthOf } from '#contract/rules/report-days.ts';
import { DAY } from '#contract/rules/time.ts';
import { expectAccessible } from '../support/axe.ts';
import { atBothWidths } from '../support/both-widths.ts';
import { enter, tabTo } from '../support/keyboard.ts';
import { addMix, expect, signInTo, test, type OwnServer } from '../support/own-server.ts';

const TIME_ZONE = 'Africa/Johannesburg';
const today = dayOf(Date.now(), TIME_ZONE);
const lastDay = addDays(today, -3);
const firstDay = `${Number(today.slice(0, 4)) - 2}-12-31`;
const [quarter = ''] = listReportPeriods('quarter', { from: firstDay, to: lastDay });
const { from, to } = parsePeriod(quarter);

/** A quarter in which one mix was heard by two and another by one, and R100 was earned. */
function fillQuarter(server: OwnServer): void {
  addMix(server, { id: 'golden', title: 'Golden Hour', week: 30 });
  addMix(server, { id: 'bare', title: 'Bare Hour', week: 31 });
  server.withDatabase((database) => {
    const chapters = [
      { at: 0, artist: 'Thandi', title: 'Long Road', recordingId: 'long-road' },
      { at: 40, artist: 'Bheki', title: '=1+1' },
    ];
    const run = (sql: string, ...values: (string | number)[]) =>
      database.prepare(sql).run(...values);
    run(`update tracks set chapters = ? where id = 'golden'`, JSON.stringify(chapters));
    run(`insert into recordings (id, artist, title, name_key, publisher, label, isrc, is_own,
           created_at, updated_at)
         values ('long-road', 'Thandi', 'Long Road', 'thandi long road', 'Gallo', 'Gallo',
           'ZAUM71900001', 0, 1, 1)`);
    run(`insert into track_recordings values ('golden', 'long-road', 'thandi long road')`);
    for (const day of [firstDay, from, to, lastDay]) {
      const at = startOfDay(day, TIME_ZONE);
      run(`insert into usage_days values (?, ?, ?, ?)`, day, at, at + DAY, at + DAY);
    }
    const hear = (day: string, track: string, spans: number[][]) =>
      run(
        `insert into heard_days values (?, ?, 'full', 0, ?, ?, ?, 0)`,
        day,
        track,
        JSON.stringify(spans),
        spans.length,
        spans.reduce((sum, [begin = 0, end = 0]) => sum + end - begin, 0) * 1000,
      );
    hear(from, 'golden', [
      [0, 60],
      [10, 30],
    ]);
    hear(to, 'bare', [[0, 50]]);
    const at = startOfDay(to, TIME_ZONE);
    run(
      `insert into invoices (id, number, provider, charge_id, plan, at, issued_at, booked_on, from_at,
         to_at, amount, refunded, currency, status, buyer_name, description, vat_rate, vat)
       values ('i1', 900001, 'sandbox', 'c1', 'monthly', ?, ?, ?, ?, ?, 11500, 0, 'ZAR', 'paid',
         'Thandi', 'Premium, monthly', 1500, 1500)`,
      at,
      at,
      to,
      at,
      at,
    );
  });
}

async function download(page: Page, link: string) {
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: link }).click();
  const bytes = await readFile(await (await downloading).path());
  const lines = bytes.toString().replace('\uFEFF', '').trimEnd().split('\r\n');
  return { lines, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The months, quarters, years and other days that can be reported, and the days that can't. */
async function choosePeriodByKeyboard(page: Page) {
  const main = page.getByRole('main');
  const period = main.getByRole('combobox', { name: 'Period', exact: true });
  const choose = async (key: string, kind: 'month' | 'quarter' | 'year') => {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`by=${kind}$`));
    const [newest = ''] = listReportPeriods(kind, { from: firstDay, to: lastDay });
    await expect(period).toHaveValue(newest);
  };
  const kinds = main.getByRole('combobox', { name: 'Kind of period' });
  await tabTo(page, kinds);
  await choose('ArrowUp', 'month');
  await choose('ArrowDown', 'quarter');
  await choose('ArrowDown', 'year');
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/by=range&period=/);
  const nextMonth = monthOf(addMonths(today, 1));
  for (const [begin, end, message] of [
    ['', to, 'Choose both days.'],
    [to, from, 'The period ends before it begins.'],
    ['1970-01-01', '1970-03-31', 'Enter a month or two days from 2000 to 2099.'],
    ['9999-01-01', '9999-03-31', 'Enter a month or two days from 2000 to 2099.'],
    [`${nextMonth}-01`, `${nextMonth}-09`, 'This period is in the future.'],
    [from, today, 'This period isn’t over yet.'],
    [from, addDays(today, -1), 'The listening of this period isn’t added up yet.'],
  ] as const) {
    await main.getByLabel('From').fill(begin);
    await main.getByLabel('To', { exact: true }).fill(end);
    await enter(page, main.getByRole('button', { name: 'Show' }));
    await expect(main.getByText(message)).toBeVisible();
  }
  await expect(main.getByRole('button', { name: 'Confirm and make the report' })).toBeHidden();
  await main.getByLabel('From').fill(from);
  await main.getByLabel('To', { exact: true }).fill(from);
  await enter(page, main.getByRole('button', { name: 'Show' }));
  await expect(main.getByRole('row', { name: /^Full plays/ })).toContainText('2');
  await kinds.focus();
  await choose('ArrowUp', 'year');
  await choose('ArrowUp', 'quarter');
}

test('an administrator chooses a quarter, reports it, corrects a recording and reports it again', async ({
  page,
  context,
  ownServer,
  problems,
}) => {
  fillQuarter(ownServer);
  await signInTo(context, ownServer.origin, 'admin');
  const main = page.getByRole('main');
  await page.goto(`${ownServer.origin}/admin/rights/reports`);
  await choosePeriodByKeyboard(page);
  await expect(main.getByText('This is a tool and not a licence')).toBeVisible();

  // What is missing, each with the mixes in which it is mended.
  await main.getByText('Mixes without a tracklist').click();
  await expect(main.getByRole('link', { name: 'Bare Hour' })).toHaveAttribute(
    'href',
    '/admin/tracks/edit/bare',
  );
  await main.getByText('No composer').click();
  const mend = main.getByRole('link', { name: 'Golden Hour' });
  await expect(mend).toHaveAttribute('href', '/admin/tracks/golden/rights');
  await expect(main.getByRole('row', { name: /^Full plays/ })).toContainText('3');
  await atBothWidths(page, () => expect(mend).toBeVisible());
  await expectAccessible(page, 'usage reports', { isShellKnown: true });

  const territory = main.getByLabel('Territory');
  const revenue = main.getByLabel('Revenue of the period (ZAR)');
  const make = main.getByRole('button', { name: 'Confirm and make the report' });
  await expect(revenue).toHaveValue('100.00');
  await territory.fill(' ');
  await revenue.fill('-1');
  await make.click();
  await expect(main.getByText('Enter the territory.')).toBeVisible();
  await expect(main.getByText('The revenue can’t be below zero.')).toBeVisible();
  await territory.fill('South Africa');
  for (const unclear of ['1,234', '0x10']) {
    await revenue.fill(unclear);
    await make.click();
    await expect(main.getByText('Enter an amount such as 1234.50')).toBeVisible();
  }
  await revenue.fill('99,50');
  await make.click();

  await expect(main.getByRole('heading', { name: 'Usage report 1', level: 1 })).toBeVisible();
  const first = await download(page, 'Download CSV');
  const ends = `${from},${to},South Africa,,`;
  expect(first.lines.slice(1)).toEqual([
    expect.stringMatching(/^Mix without a tracklist,Bare Hour,.*,1,50,0,0,0,0,0,/),
    expect.stringContaining(
      `1,0,Long Road,,Thandi,,Gallo,Gallo,ZAUM71900001,,No,2,60,0,0,0,0,0,${ends}`,
    ),
    expect.stringContaining(`2,40,'=1+1,,Bheki,,,,,,No,1,20,0,0,0,0,0,${ends}`),
    expect.stringMatching(/^Total,.*,4,130,0,0,0,0,0,.*,South Africa,ZAR,99\.50$/),
  ]);
  await expect(main.getByText(`SHA-256: ${first.sha256}`)).toBeVisible();
  const firstPage = page.url();

  await page.goto(`${ownServer.origin}/admin/rights`);
  await main.getByRole('button', { name: 'Correct Thandi – Long Road' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Composer').fill('T. Mokoena');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Recording saved', { exact: true })).toBeVisible();

  await page.goto(`${ownServer.origin}/admin/rights/reports?by=quarter&period=${quarter}`);
  await expect(main.getByRole('link', { name: /^1\. / })).toBeVisible();
  await make.click();
  await expect(main.getByRole('heading', { name: 'Since report 1' })).toBeVisible();
  await expect(main.getByText('Composer: empty → T. Mokoena')).toBeVisible();
  await expect(main.getByText('Revenue of the period: 99.50 → 100.00')).toBeVisible();
  const changes = await download(page, 'Changes as CSV');
  expect(changes.lines).toContain('changed,Golden Hour,Long Road,Composer,,T. Mokoena');
  const second = await download(page, 'Download CSV');
  expect(second.sha256).not.toBe(first.sha256);
  await atBothWidths(page, () => expect(main.getByText(second.sha256)).toBeVisible());
  await expectAccessible(page, 'a usage report', { isShellKnown: true });

  const secondPage = page.url();
  await page.goto(firstPage);
  await main.getByRole('button', { name: 'Make it again' }).click();
  await expect(main.getByText('Made again: the same bytes')).toBeVisible();
  expect(await download(page, 'Download CSV')).toEqual(first);

  // A file that is lost is named, and the refusal isn't saved as one.
  problems.expect(/500.*\/report\.csv/);
  const message = 'Restore it from a backup.';
  await page.route('**/report.csv', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message } }),
  );
  await main.getByRole('link', { name: 'Download CSV' }).click();
  await expect(page.getByText(message, { exact: true })).toBeVisible();
  await page.unroute('**/report.csv');
  const id = secondPage.split('/').at(-1);
  await page.route(`**/api/admin/rights/reports/${id}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      json: { ...((await response.json()) as object), changes: null },
    });
  });
  await page.goto(secondPage);
  await expect(main.getByText('Can’t be compared with report 1')).toBeVisible();
  expect((await download(page, 'Download CSV')).sha256).toBe(second.sha256);
});
