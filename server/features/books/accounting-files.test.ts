/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildInvoice } from '../../db/build-rows.ts';
import { changeSettings } from '../../db/settings.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';

let test: TestApp;
let admin: TestClient;
beforeEach(async () => {
  test = await createTestApp();
  ({ client: admin } = await createAdmin(test));
});
afterEach(() => test.close());

const at = Date.UTC(2026, 10, 3, 10);

async function addDocuments(buyer: { name: string; address?: string }) {
  const { db } = test.deps.database;
  const invoice = buildInvoice({
    id: 'i',
    number: 7,
    user_id: null,
    provider: 'sandbox',
    charge_id: 'ch',
    plan: 'monthly',
    at,
    from_at: at,
    to_at: at,
    amount: 79_00,
    currency: 'ZAR',
    vat_rate: 15_00,
    vat: 10_30,
    buyer_name: buyer.name,
    buyer_email: 'buyer@example.com',
    buyer_address: buyer.address ?? null,
    description: 'Premium, monthly',
  });
  await db.insertInto('invoices').values(invoice).execute();
  const note = { invoice_id: 'i', at, issued_at: at, booked_on: '2026-11-03', currency: 'ZAR' };
  await db
    .insertInto('credit_notes')
    .values([
      { ...note, id: 'c', kind: 'credit', number: 1, amount: 20_00, vat: 2_61, reason: 'refund' },
      {
        ...note,
        id: 'd',
        kind: 'debit',
        number: 1,
        amount: -20_00,
        vat: -2_61,
        reason: 'refund-failed',
      },
    ])
    .execute();
}

const readFile = async (sheet: string): Promise<string[]> => {
  const answer = await admin.request({ url: `/api/admin/books/2026-11/${sheet}.csv` });
  expect(answer.statusCode).toBe(200);
  return answer.body.split('\r\n').slice(0, -1);
};

it('the file for Xero has its columns, days as it reads them, and credit notes below zero', async () => {
  await addDocuments({ name: 'Sounds CC', address: '2 Loop Street\nUnit 3\nDurban\n4001\nRSA' });
  const [head, ...lines] = await readFile('xero');
  expect(head).toBe(
    '*ContactName,EmailAddress,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,POCountry,*InvoiceNumber,Reference,*InvoiceDate,*DueDate,InventoryItemCode,*Description,*Quantity,*UnitAmount,Discount,*AccountCode,*TaxType,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2,Currency,BrandingTheme',
  );
  const buyer = 'Sounds CC,buyer@example.com,2 Loop Street,Unit 3,Durban,"4001, RSA",,,,';
  const rest = ',"Premium, monthly",1';
  const end = ',200,Standard Rate Sales,,,,,ZAR,';
  expect(lines).toEqual([
    `${buyer},000007,ch,03/11/2026,03/11/2026,${rest},79.00,${end}`,
    `${buyer},CN-000001,000007,03/11/2026,03/11/2026,${rest},-20.00,${end}`,
    `${buyer},DN-000001,000007,03/11/2026,03/11/2026,${rest},20.00,${end}`,
  ]);
});

it('the file for Sage has its columns, and the names of the settings', async () => {
  await addDocuments({ name: 'Sounds CC' });
  await changeSettings(
    test.deps.database.db,
    { salesAccount: '1000', vatRateName: 'VAT 15' },
    test.clock.now(),
  );
  expect(await readFile('sage')).toEqual([
    'Type,Customer Reference,Date,Customer Name,Reference,Ledger Account,Details,Net,VAT Rate,VAT,Total,Analysis Type 1,Analysis Type 2,Analysis Type 3',
    'Invoice,WEBSALES,03-11-2026,Web sales,000007,1000,"Premium, monthly",68.70,VAT 15,10.30,79.00,,,',
    'Cr Note,WEBSALES,03-11-2026,Web sales,CN-000001,1000,"Premium, monthly",17.39,VAT 15,2.61,20.00,,,',
    'Invoice,WEBSALES,03-11-2026,Web sales,DN-000001,1000,"Premium, monthly",17.39,VAT 15,2.61,20.00,,,',
  ]);
});

it.each(['=1+1', '+1', '-x', '@x'])('a buyer called %s is no formula in any file', async (name) => {
  await addDocuments({ name, address: name });
  for (const sheet of ['sales', 'refunds', 'xero']) {
    const text = (await readFile(sheet)).join('\n');
    expect(text).toContain(`'${name}`);
    for (const before of [',', '\n']) expect(text).not.toContain(`${before}${name}`);
  }
});
