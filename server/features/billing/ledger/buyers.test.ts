/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { Invoice, InvoicePage } from '#contract/paying/invoices.ts';
import { changeSettings } from '../../../db/settings.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { exportBilling } from '../privacy/service.ts';
import { buildLedgerEntry, toLedgerContext } from './ledger-entries.ts';
import { appendEntry } from './service.ts';

/** @module-tag both-databases */

let test: TestApp;
let member: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  member = await createUser(test);
  const seller = { sellerName: 'Me', sellerAddress: 'Street', sellerVatNumber: '4123456789' };
  await changeSettings(test.deps.database.db, { ...seller, isVatCharged: true }, test.clock.now());
});
afterEach(() => test.close());

const details = {
  name: 'Sounds CC',
  address: '2 Loop Street\r\nDurban',
  vatNumber: '498 765 4321',
};
const stored = { name: 'Sounds CC', address: '2 Loop Street\nDurban', vatNumber: '4987654321' };

const save = (payload: object) =>
  member.client.request({ method: 'PUT', url: '/api/subscription/buyer', payload });
const pay = (id: string, amount: number) =>
  test.deps.database.db.transaction().execute((tx) =>
    appendEntry(
      tx,
      member.user.id,
      buildLedgerEntry('charge', test.clock.now(), 'Paid.', {
        provider: 'sandbox',
        subscription_id: 'sub',
        charge_id: id,
        plan: 'annual',
        amount,
        currency: 'ZAR',
      }),
      toLedgerContext(test.deps),
    ),
  );
async function readInvoices(): Promise<InvoicePage[]> {
  const list = await member.client.request({ url: '/api/subscription/invoices' });
  return Promise.all(
    list
      .json<{ items: Invoice[] }>()
      .items.map(async ({ id }) =>
        (
          await member.client.request({ url: `/api/subscription/invoices/${id}` })
        ).json<InvoicePage>(),
      ),
  );
}

it('a buyer’s details are on invoices from then on, and gone when they are removed', async () => {
  await pay('a', 790_00);
  expect((await save(details)).json()).toEqual({ buyer: stored });
  await pay('b', 790_00);
  const gone = await member.client.request({ method: 'DELETE', url: '/api/subscription/buyer' });
  expect(gone.json()).toEqual({ buyer: null });
  await pay('c', 790_00);
  const nobody = { name: 'thandi', address: '', vatNumber: '' };
  expect((await readInvoices()).map(({ buyer }) => buyer)).toMatchObject([nobody, stored, nobody]);
});

it('above R5,000 an invoice says that they are missing, until the buyer adds them', async () => {
  await pay('a', 5_000_00);
  await pay('b', 5_000_01);
  expect((await readInvoices()).map(({ lacksBuyer }) => lacksBuyer)).toEqual([true, false]);
  await save(details);
  expect((await readInvoices()).map(({ buyer, lacksBuyer }) => [buyer?.name, lacksBuyer])).toEqual([
    ['Sounds CC', false],
    ['thandi', false],
  ]);
  // Once it is complete, it never changes again.
  await save({ ...details, name: 'Other CC' });
  expect((await readInvoices())[0]?.buyer?.name).toBe('Sounds CC');
});

it.each([
  [{ ...details, vatNumber: '41234567890' }, 'vatNumber'],
  [{ ...details, vatNumber: '3123456789' }, 'vatNumber'],
  [{ ...details, name: ' ' }, 'name'],
  [{ ...details, name: 'two\nlines' }, 'name'],
  [{ ...details, address: '' }, 'address'],
  [{ ...details, address: 'x\n'.repeat(11) + 'x' }, 'address'],
])('%o is refused and nothing is saved', async (payload, field) => {
  const answer = await save(payload);
  expect([answer.statusCode, Object.keys(answer.json<ErrorBody>().fields ?? {})]).toEqual([
    400,
    [field],
  ]);
  const saved = await member.client.request({ url: '/api/subscription/buyer' });
  expect(saved.json()).toEqual({ buyer: null });
});

it('they are in the export, and go with the account except from full tax invoices', async () => {
  await save(details);
  await pay('a', 790_00);
  await pay('b', 6_000_00);
  const items: object[] = [];
  for await (const item of exportBilling(test.deps.database.db, member.user.id)) items.push(item);
  expect(items).toContainEqual({ kind: 'details-on-invoices', ...stored });
  const payload = { password: PASSWORD, confirmation: 'delete' };
  const gone = await member.client.request({ method: 'DELETE', url: '/api/me', payload });
  expect(gone.statusCode).toBe(204);
  const { db } = test.deps.database;
  expect(await db.selectFrom('buyer_details').selectAll().execute()).toEqual([]);
  const rows = await db
    .selectFrom('invoices')
    .select(['user_id', 'buyer_name', 'buyer_address', 'buyer_email'])
    .orderBy('number')
    .execute();
  expect(rows).toEqual([
    { user_id: null, buyer_name: null, buyer_address: null, buyer_email: null },
    {
      user_id: null,
      buyer_name: 'Sounds CC',
      buyer_address: '2 Loop Street\nDurban',
      buyer_email: null,
    },
  ]);
});
