import { readFile } from 'node:fs/promises';
import { findPeriod, formatPeriod } from '#contract/admin/book-periods.ts';
import { dayOf } from '#contract/rules/days.ts';
import { addMonths, monthOf } from '#contract/rules/report-days.ts';
import { expect } from '../support/fixtures.ts';
import { signInTo, test, type OwnServer } from '../support/own-server.ts';

const TIME_ZONE = 'Africa/Johannesburg';

/** A payment of R115 with R15 VAT at noon of a day. */
const addInvoice = ({ withDatabase }: OwnServer, number: number, day: string): void =>
  withDatabase((database) => {
    const at = Date.parse(`${day}T10:00:00Z`);
    database
      .prepare(
        `insert into invoices (id, number, provider, charge_id, plan, at, issued_at, booked_on, from_at,
           to_at, amount, refunded, currency, status, buyer_name, description, vat_rate, vat)
         values (?, ?, 'sandbox', ?, 'monthly', ?, ?, ?, ?, ?, 11500, 0, 'ZAR', 'paid', 'Thandi',
           'Premium, monthly', 1500, 1500)`,
      )
      .run(`i${number}`, number, `c${number}`, at, at, day, at, at);
  });

test('an operator closes a month, reads a VAT period, downloads it for Xero and opens the month again', async ({
  page,
  context,
  ownServer,
}) => {
  const today = dayOf(Date.now(), TIME_ZONE);
  const lastMonth = monthOf(addMonths(today, -1));
  const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' }).format(
    Date.parse(`${lastMonth}-15`),
  );
  addInvoice(ownServer, 900_001, `${lastMonth}-03`);
  addInvoice(ownServer, 900_002, `${lastMonth}-04`);
  await signInTo(context, ownServer.origin, 'admin');
  await page.goto(`${ownServer.origin}/admin/books?by=month&period=${lastMonth}`);
  const sales = page.getByRole('row', { name: /^Sales\s?2 invoices/ });
  await expect(sales).toContainText('R230');

  await page.getByRole('button', { name: `Close ${name}` }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Close ${name}` })
    .click();
  await expect(page.getByText(`Closed up to ${name}.`)).toBeVisible();

  await page.getByRole('combobox', { name: 'Kind of period' }).selectOption('VAT period');
  const year = { vatCategory: 'B' as const, yearEndMonth: 2 };
  const period = formatPeriod(findPeriod('vat', lastMonth, year));
  await page.getByRole('combobox', { name: 'Period', exact: true }).selectOption(period);
  await expect(page).toHaveURL(new RegExp(`by=vat&period=${period}$`));
  await expect(page.getByRole('row', { name: /^15%/ })).toContainText('R30');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Xero as CSV' }).click();
  const file = await (await downloading).path();
  expect(await readFile(file, 'utf8')).toContain(',900002,c900002,');

  await page.getByRole('combobox', { name: 'Kind of period' }).selectOption('Other dates');
  await page.getByLabel('From').fill(`${lastMonth}-04`);
  await page.getByLabel('To', { exact: true }).fill(`${lastMonth}-03`);
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByText('The period ends before it begins.')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill(`${lastMonth}-04`);
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('row', { name: /^Sales\s?1 invoice/ })).toContainText('R115');

  await page.getByRole('button', { name: `Open ${name} again` }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('A refund was missing.');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Open ${name}` })
    .click();
  await expect(page.getByText(`Closed up to ${name}.`)).toBeHidden();
});

test('an operator plans the next VAT rate and removes it again', async ({
  page,
  context,
  ownServer,
}) => {
  await signInTo(context, ownServer.origin, 'admin');
  await page.goto(`${ownServer.origin}/admin/settings/seller`);
  const rates = page.getByRole('group', { name: 'VAT rates' });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await rates.getByRole('button', { name: 'Plan another rate' }).click();
  await rates.getByLabel('VAT rate 2, percent').fill('101');
  await rates.getByLabel('First day of VAT rate 2').fill('2099-04-01');
  await save.click();
  await expect(rates.getByText('Enter a percentage from 0.01 to 50.')).toBeVisible();
  await rates.getByLabel('VAT rate 2, percent').fill('15.5');
  await save.click();
  await expect(page.getByText('Settings saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(rates.getByLabel('VAT rate 2, percent')).toHaveValue('15.5');
  await rates.getByRole('button', { name: 'Remove VAT rate 2' }).click();
  await save.click();
  await expect(page.getByText('Settings saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(rates.getByLabel('VAT rate 1, percent')).toHaveValue('15');
  await expect(rates.getByLabel('VAT rate 2, percent')).toBeHidden();
});

test('a member puts a name, an address and a VAT number on their invoices', async ({
  page,
  context,
  ownServer,
}) => {
  await signInTo(context, ownServer.origin, 'premium');
  await page.goto(`${ownServer.origin}/subscription`);
  await page.getByRole('button', { name: 'Add details' }).click();
  const form = page.getByRole('form', { name: 'Details on your invoices' });
  await form.getByLabel('Name').fill('Sounds CC');
  await form.getByLabel('Address').fill('2 Loop Street\nDurban\n4001');
  await form.getByLabel('VAT number').fill('49876543210');
  await form.getByRole('button', { name: 'Save details' }).click();
  await expect(form.getByText('Enter the 10 digits of the VAT number')).toBeVisible();
  await form.getByLabel('VAT number').fill('498 765 4321');
  await form.getByRole('button', { name: 'Save details' }).click();
  const shown = page.getByText('Sounds CC, 2 Loop Street, Durban, 4001, VAT number 4987654321');
  await expect(shown).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Change details' }).click();
  await form.getByRole('button', { name: 'Remove details' }).click();
  await expect(page.getByRole('button', { name: 'Add details' })).toBeVisible();
});
