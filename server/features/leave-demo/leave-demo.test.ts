/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { DEMO_PASSWORD, seedDemoAccounts } from '#demo/accounts.ts';
import type { Deps } from '../../deps.ts';
import { parseConfig } from '../../config.ts';
import { createRealCalendar } from '../../ports/payments/calendar.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, PROVIDER, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { payingClient } from '../../testing/test-payments.ts';
import { createUser, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import { buildLedgerEntry } from '../billing/ledger/ledger-entries.ts';
import { grantAccess } from '../billing/ledger/service.ts';
import { runAdminCommand } from '../console/service.ts';
import { refuseDemoData } from './service.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
/** The same database, once the operator has set up real payments. */
let production: Deps;
let trackId: string;
beforeEach(async () => {
  test = await createTestApp();
  const { payments } = parseConfig({ APP_ORIGIN: 'https://music.example', ...PROVIDER });
  production = { ...test.deps, config: { ...test.deps.config, demo: false, payments } };
  const { database, storage, clock } = test.deps;
  await seedDemoAccounts(database.db, clock.now());
  trackId = (await seedTrack({ db: database.db, storage, now: clock.now() })).id;
});
afterEach(() => test.close());

const runCommand = (deps: Deps, ...args: string[]) =>
  runAdminCommand(deps, args, { askPassword: async () => PASSWORD });
const leave = () => runCommand(production, 'leave-demo');

async function logIn(username: string, password: string): Promise<TestClient> {
  const client = test.createClient();
  const payload = { username, password };
  await client.request({ method: 'POST', url: '/api/auth/login', payload });
  return client;
}

async function promote(client: TestClient, { user }: TestUser, isAdmin = true) {
  const confirmed = { confirmed_at: test.clock.now() };
  await test.deps.database.db.updateTable('sessions').set(confirmed).execute();
  return client.request({
    method: 'PUT',
    url: `/api/admin/subscribers/${user.id}/admin`,
    payload: { isAdmin, because: 'Helps out, or no longer.' },
  });
}

const readStatus = async (client: TestClient, url: string) =>
  (await client.request({ url })).statusCode;
const stream = ({ client }: TestUser) => readStatus(client, `/media/tracks/${trackId}/stream`);

describeOnSqlite('a database of the demo', () => {
  it('is refused with a real payment provider until the operator has left the demo', async () => {
    await expect(refuseDemoData(test.deps)).resolves.toBeUndefined();
    await expect(refuseDemoData(production)).rejects.toThrow(
      'This database has demo accounts, but PAYMENTS is paystack.',
    );
    await payingClient(test, await createUser(test)).buy('monthly');
    await expect(refuseDemoData(production)).rejects.toThrow(
      'This database has demo accounts and payments with test cards',
    );
    expect(await leave()).toBe(
      'Removed 3 demo accounts, the test payments of 1 user, and all plays and figures. Mixes, uploads and settings are unchanged.',
    );
    await expect(refuseDemoData(production)).resolves.toBeUndefined();
    expect(await leave()).toContain('Removed 0 demo accounts');
  });

  it('gives nothing under a real payment provider, even if it were there', async () => {
    const thandi = await createUser(test);
    await payingClient(test, thandi).buy('annual');
    expect(await stream(thandi)).toBe(200);
    const context = { now: test.clock.now(), calendar: createRealCalendar(), timeZone: 'UTC' };
    const until = test.clock.now() + 1000;
    const gift = { until, because: 'A friend of the show.', actor: 'system' };
    await test.deps.database.db
      .transaction()
      .execute((tx) => grantAccess(tx, thandi.user.id, gift, context));
    test.clock.advance(4 * DAY);
    expect(await stream(thandi)).toBe(403);
  });

  it('cannot be cleaned while the demo would start again', async () => {
    await expect(runCommand(test.deps, 'leave-demo')).rejects.toThrow('Set PAYMENTS');
  });
});

itOnSqlite(
  'takes no test payments once there are real ones, so that real invoices have all numbers',
  async () => {
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
    await expect(refuseDemoData(test.deps)).rejects.toThrow(
      'This database has real payments, but PAYMENTS is sandbox',
    );
  },
);

it('a demo is refused in the database of a live site, whatever its settings lack', async () => {
  await leave();
  await refuseDemoData(production);
  await expect(refuseDemoData(test.deps)).rejects.toThrow(
    'This database belongs to a live site, but without its settings this would be a demo.',
  );
});

describe('leaving the demo', () => {
  itOnSqlite(
    'removes what was played and counted, also by others, but not where they stopped',
    async () => {
      const thandi = await createUser(test);
      for (const client of [
        thandi.client,
        await logIn('free', DEMO_PASSWORD),
        test.createClient(),
      ]) {
        const url = `/api/tracks/${trackId}/play`;
        const started = await client.request({ method: 'POST', url });
        test.clock.advance(20_000);
        await client.request({
          method: 'POST',
          url: `/api/plays/${started.json<{ playId: string }>().playId}/heartbeat`,
          payload: { secondsListened: 20, position: 20 },
        });
      }
      const read = async () => {
        const response = await thandi.client.request({ url: `/api/tracks/${trackId}` });
        return response.json<{ plays: number }>();
      };
      expect(await read()).toMatchObject({ plays: 3, progress: { position: 20 } });
      await leave();
      expect(await read()).toMatchObject({ plays: 0, progress: { position: 20 } });
      const { db } = test.deps.database;
      for (const table of [
        'plays',
        'play_days',
        'site_days',
        'listener_days',
        'play_facts',
      ] as const)
        expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    },
  );

  itOnSqlite(
    'removes links that the demo’s administrators could read, and what they proved',
    async () => {
      const { user } = await createUser(test);
      const { db } = test.deps.database;
      await db.updateTable('users').set({ email_verified_at: 1 }).execute();
      const payload = { email: user.email };
      const url = '/api/auth/reset-password/request';
      await test.createClient().request({ method: 'POST', url, payload });
      await test.worker.runDue();
      const count = async () =>
        (await db.selectFrom('outbox').selectAll().execute()).length +
        (await db.selectFrom('password_resets').selectAll().execute()).length;
      expect(await count()).toBeGreaterThan(1);
      await leave();
      expect(await count()).toBe(0);
      const rows = await db.selectFrom('users').select('email_verified_at').execute();
      expect(rows).toEqual([{ email_verified_at: null }]);
    },
  );

  itOnSqlite('removes planned prices of test payments, and keeps those of real ones', async () => {
    const { db } = test.deps.database;
    const thandi = await createUser(test);
    const now = test.clock.now();
    for (const provider of ['sandbox', 'paystack']) {
      await db
        .insertInto('price_changes')
        .values({
          id: `change-${provider}`,
          plan: provider === 'sandbox' ? 'monthly' : 'annual',
          old_amount: 79_00,
          amount: 99_00,
          starts_at: now + DAY,
          notice_days: 30,
          provider,
          state: 'planned',
          is_applied: 0,
          created_by: 'boss',
          created_at: now,
          updated_at: now,
        })
        .execute();
      await db
        .insertInto('price_change_members')
        .values({
          change_id: `change-${provider}`,
          user_id: thandi.user.id,
          old_amount: 79_00,
          told_at: now,
          applies_from: now + 30 * DAY,
          starts_at: null,
          state: 'told',
          updated_at: now,
        })
        .execute();
    }
    await leave();
    expect(await db.selectFrom('price_changes').select('id').execute()).toEqual([
      { id: 'change-paystack' },
    ]);
    expect(await db.selectFrom('price_change_members').select('change_id').execute()).toEqual([
      { change_id: 'change-paystack' },
    ]);
  });

  it('takes away what test cards paid for: access, trial, invoices and figures', async () => {
    const thandi = await createUser(test);
    await payingClient(test, thandi).buy('annual');
    expect(await stream(thandi)).toBe(200);
    const lerato = await createUser(test, 'lerato');
    await payingClient(test, lerato).buy('monthly');
    await payingClient(test, lerato).call('POST', '/api/subscription/withdraw');
    await test.worker.runDue();
    await leave();
    expect(await stream(thandi)).toBe(403);
    const { db } = test.deps.database;
    for (const table of [
      'ledger_entries',
      'payments',
      'payment_methods',
      'subscriptions',
      'invoices',
      'sandbox_payments',
      'sandbox_cards',
      'paid_spans',
      'jobs',
    ] as const)
      expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    const rest = await payingClient(test, thandi).buy('monthly');
    expect(rest.result.state).toBe('paid');
    expect(await payingClient(test, thandi).invoices()).toMatchObject([
      { number: expect.stringMatching(/0*1$/) },
    ]);
  });

  itOnSqlite(
    'keeps mixes, other accounts, and the access that a real administrator gave',
    async () => {
      await runCommand(test.deps, 'create', 'naledi', 'naledi@example.com');
      const naledi = await logIn('naledi', PASSWORD);
      const thandi = await createUser(test);
      const granted = await naledi.request({
        method: 'POST',
        url: `/api/admin/users/${thandi.user.id}/access`,
        payload: { do: 'grant', until: test.clock.now() + 1e9, because: 'A friend of the show.' },
      });
      expect(granted.statusCode).toBeLessThan(300);
      await leave();
      expect(await stream(thandi)).toBe(200);
      expect(await readStatus(naledi, '/api/admin/audit')).toBe(200);
    },
  );

  itOnSqlite(
    'takes away the role that the demo’s administrator gave, and what it led to',
    async () => {
      const admin = await logIn('admin', DEMO_PASSWORD);
      const sipho = await createUser(test, 'sipho');
      const lerato = await createUser(test, 'lerato');
      expect((await promote(admin, sipho)).statusCode).toBeLessThan(300);
      expect((await promote(sipho.client, lerato)).statusCode).toBeLessThan(300);
      await runCommand(test.deps, 'create', 'naledi', 'naledi@example.com');
      const thandi = await createUser(test);
      expect((await promote(await logIn('naledi', PASSWORD), thandi)).statusCode).toBeLessThan(300);
      const said = await leave();
      expect(said).toContain('npm run admin -- promote sipho');
      expect(said).toContain('npm run admin -- promote lerato');
      expect(said).not.toMatch(/thandi|naledi/);
      expect(await readStatus(admin, '/api/auth/me')).toBe(401);
      expect(await readStatus(sipho.client, '/api/auth/me')).toBe(401);
      expect(await readStatus(await logIn('sipho', PASSWORD), '/api/admin/audit')).toBe(404);
      expect(await readStatus(thandi.client, '/api/admin/audit')).toBe(200);
    },
  );

  itOnSqlite('takes away a role that the demo’s administrator gave back', async () => {
    const zola = await createUser(test, 'zola');
    await runCommand(test.deps, 'promote', 'zola');
    await runCommand(test.deps, 'create', 'naledi', 'naledi@example.com');
    test.clock.advance(1);
    await promote(await logIn('naledi', PASSWORD), zola, false);
    test.clock.advance(1);
    await promote(await logIn('admin', DEMO_PASSWORD), zola);
    expect(await leave()).toContain('npm run admin -- promote zola');
    expect(await readStatus(await logIn('zola', PASSWORD), '/api/admin/audit')).toBe(404);
    expect(await readStatus(await logIn('naledi', PASSWORD), '/api/admin/audit')).toBe(200);
  });

  itOnSqlite('voids gifts and coupons that the demo’s administrator made', async () => {
    const admin = await logIn('admin', DEMO_PASSWORD);
    const made = await admin.request({
      method: 'POST',
      url: '/api/admin/gifts',
      payload: { months: 3, from: 'The demo' },
    });
    const { url } = made.json<{ url: string }>();
    const thandi = await createUser(test);
    const path = new URL(url).pathname.replace('/gift/', '/api/gifts/');
    await thandi.client.request({ method: 'POST', url: `${path}/redeem` });
    expect(await stream(thandi)).toBe(200);
    await leave();
    expect(await stream(thandi)).toBe(403);
    expect(await readStatus(thandi.client, path)).toBe(404);
  });
});
