/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { seedDemoAccounts } from '#demo/accounts.ts';
import { parseConfig, type Config } from '../../config.ts';
import { createRealCalendar } from '../../ports/payments/calendar.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, PROVIDER, type TestApp } from '../../testing/test-app.ts';
import { payingClient } from '../../testing/test-payments.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
import { grantAccess } from '../billing/ledger/service.ts';
import { buildLedgerEntry } from '../billing/ledger/ledger-entries.ts';
import { refuseForeignData } from './refuse-foreign-data.ts';

const LOCAL = { APP_ORIGIN: 'http://localhost:3000' };
const LIVE = { APP_ORIGIN: 'https://music.example', ...PROVIDER };

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const start = (config: Config) => refuseForeignData({ config, database: test.deps.database });
const startDemo = () => start(parseConfig({}));
const startSandbox = () => start(parseConfig(LOCAL));
const startLive = () => start(parseConfig(LIVE));

it('a site starts with an empty database, and a demo with its own', async () => {
  await expect(startLive()).resolves.toBeUndefined();
  await expect(startSandbox()).resolves.toBeUndefined();
  await seedDemoAccounts(test.deps.database.db, test.clock.now());
  await payingClient(test, await createUser(test)).buy('monthly');
  await expect(startDemo()).resolves.toBeUndefined();
});

it('the accounts of a demo are refused on any site, as in a backup of a demo', async () => {
  await seedDemoAccounts(test.deps.database.db, test.clock.now());
  const message = 'This database has the accounts of a demo, whose passwords everyone knows.';
  await expect(startLive()).rejects.toThrow(message);
  await expect(startSandbox()).rejects.toThrow(message);
});

it('a demo is refused in the database of a site, as in a restored backup', async () => {
  await createUser(test);
  await startDemo();
  await test.deps.database.db.updateTable('users').set({ is_admin: 1 }).execute();
  await startLive();
  await expect(startDemo()).rejects.toThrow(
    /^The database in .*demo belongs to a site, but without its settings this would be a demo/,
  );
});

it('payments with test cards are refused where others are real', async () => {
  await payingClient(test, await createUser(test)).buy('monthly');
  await startSandbox();
  await expect(startLive()).rejects.toThrow(
    'This database has payments with test cards, but PAYMENTS is paystack. Use an empty DATA_DIR or database, and carry the mixes over with “npm run export” and “npm run import”',
  );
});

it('so is a payment that is nowhere else, and a page that nobody paid isn’t one', async () => {
  const { db } = test.deps.database;
  const me = payingClient(test, await createUser(test));
  const { reference } = await me.begin('monthly');
  await startLive();
  const payment = db.updateTable('payments').where('reference', '=', reference);
  await payment.set({ state: 'refused' }).execute();
  await expect(startLive()).rejects.toThrow('payments with test cards');
});

itOnSqlite('so is a gift that a test card has paid for, although nobody has it yet', async () => {
  await test.deps.database.db
    .insertInto('gifts')
    .values({
      id: 'gift',
      token_hash: 'hash',
      months: 3,
      from_name: 'Thandi',
      created_by: 'bought:sandbox',
      provider: 'sandbox',
      created_at: test.clock.now(),
    })
    .execute();
  await expect(startLive()).rejects.toThrow('payments with test cards');
});

const stream = async ({ client }: TestUser, id: string) =>
  (await client.request({ url: `/media/tracks/${id}/stream` })).statusCode;

it('a test card gives no access under a real provider, even if it got there', async () => {
  const { database, storage, clock } = test.deps;
  const { id } = await seedTrack({ db: database.db, storage, now: clock.now() });
  const thandi = await createUser(test);
  await payingClient(test, thandi).buy('annual');
  expect(await stream(thandi, id)).toBe(200);
  const context = { now: clock.now(), calendar: createRealCalendar(), timeZone: 'UTC' };
  const gift = { until: clock.now() + 1000, reason: 'A friend of the show.', actor: 'system' };
  await database.db.transaction().execute((tx) => grantAccess(tx, thandi.user.id, gift, context));
  test.clock.advance(4 * DAY);
  expect(await stream(thandi, id)).toBe(403);
});

itOnSqlite('test cards never pay where there are real payments', async () => {
  await test.deps.database.db
    .insertInto('ledger_entries')
    .values({
      ...buildLedgerEntry('charge', test.clock.now(), 'R79 paid for the monthly plan.', {
        provider: 'paystack',
        charge_id: 'c1',
      }),
      user_id: (await createUser(test)).user.id,
      seq: 1,
      recorded_at: test.clock.now(),
    })
    .execute();
  await startLive();
  await expect(startSandbox()).rejects.toThrow(
    'This database has real payments, but PAYMENTS is sandbox',
  );
});
