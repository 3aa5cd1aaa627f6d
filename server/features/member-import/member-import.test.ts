/** @module-tag both-databases */
import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportCheck, ImportLine, MemberImport } from '#contract/admin/member-imports.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { UncertainSend, type MailMessage, type SendOptions } from '../../ports/mail/mail.ts';
import { killAt } from '../../testing/kill-process.ts';
import { findTraces } from '../../testing/read-all-tables.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber, createUser, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import { sweepExpired } from '../system/jobs.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestUser;
let sent: MailMessage[];
let failNext: Error | null;
beforeEach(async () => {
  sent = [];
  failNext = null;
  const send = async (message: MailMessage, options?: SendOptions) => {
    await options?.beforeHandOver?.();
    const error = failNext;
    failNext = null;
    if (error) throw error;
    sent.push(message);
  };
  test = await createTestApp({ mail: { send, close: () => undefined } });
  admin = await createAdmin(test);
  await test.worker.runDue();
  sent.length = 0;
});
afterEach(() => test.close());

const check = (csv: string | Buffer, query: Record<string, string> = {}) =>
  admin.client.request({
    method: 'POST',
    url: '/api/admin/member-imports',
    query: { fileName: 'members.csv', ...query },
    headers: { 'content-type': 'text/csv' },
    payload: csv,
  });
const start = (id: string) =>
  admin.client.request({ method: 'POST', url: `/api/admin/member-imports/${id}/start` });
const readLines = async (id: string, query = ''): Promise<ImportLine[]> => {
  const url = `/api/admin/member-imports/${id}/lines${query}`;
  return (await admin.client.request({ url })).json<{ items: ImportLine[] }>().items;
};
const readImport = async (id: string): Promise<MemberImport> =>
  (await admin.client.request({ url: `/api/admin/member-imports/${id}` })).json();

/** Checks and imports a file, and sends its mails. */
async function importFile(csv: string): Promise<MemberImport> {
  const { import: draft } = (await check(csv)).json<ImportCheck>();
  expect((await start(draft.id)).statusCode).toBe(200);
  await test.worker.runDue();
  return readImport(draft.id);
}
const listUsers = () =>
  test.deps.database.db
    .selectFrom('users')
    .select(['username', 'email', 'paid_through', 'email_verified_at'])
    .where('is_admin', '=', 0)
    .orderBy('email')
    .execute();
async function logIn(username: string) {
  const client = test.createClient();
  const payload = { username, password: PASSWORD };
  await client.request({ method: 'POST', url: '/api/auth/login', payload });
  return { client };
}
const iso = (at: number) => new Date(at).toISOString();
const in30Days = () => test.clock.now() + 30 * DAY;

const buildFile = () => `email,name,paid_until,release_mails
thandi@example.com,Thandi Nkosi,${iso(in30Days())},true
sipho@example.com,Sipho,,false
THANDI@example.com,Other,,true
nobody,Broken,,true
`;

describe('a checked file', () => {
  it('changes nothing and mails nobody, and says what would happen to each line', async () => {
    const before = await listUsers();
    const { import: draft, columns } = (await check(buildFile())).json<ImportCheck>();
    expect(columns.map(({ role }) => role)).toEqual(['email', 'name', 'paid-until', 'subscribed']);
    expect(draft).toMatchObject({
      source: 'weekender',
      state: 'draft',
      lines: 4,
      outcomes: { new: 2, duplicate: 1, invalid: 1 },
      withAccess: 1,
    });
    expect(await readLines(draft.id, '?outcome=invalid')).toMatchObject([
      { line: 5, email: 'nobody', note: 'This isn’t an e-mail address.' },
    ]);
    await test.worker.runDue();
    expect([await listUsers(), sent]).toEqual([before, []]);
    // The next check replaces it.
    await check('email\nzola@example.com\n');
    expect((await readImport(draft.id)) as unknown as ErrorBody).toMatchObject({
      code: 'not_found',
    });
    expect(await findTraces(test.deps.database, ['thandi@example.com'])).toEqual([]);
  });

  itOnSqlite('is imported only by an administrator who entered the password again', async () => {
    const { import: draft } = (await check(buildFile())).json<ImportCheck>();
    test.clock.advance(2 * HOUR);
    const answer = await start(draft.id);
    expect(answer.json<ErrorBody>().code).toBe('confirmation_required');
    await test.worker.runDue();
    expect(sent).toEqual([]);
  });

  itOnSqlite('can be read with other columns, and is refused without addresses', async () => {
    const text = 'a,b\nzola@example.com,Zola\n';
    const chosen = await check(text, { roles: 'email,name' });
    expect(await readLines(chosen.json<ImportCheck>().import.id)).toMatchObject([{ name: 'Zola' }]);
    const without = await check(text, { roles: 'ignore,name' });
    expect([without.statusCode, without.json<ErrorBody>().code]).toEqual([422, 'import_refused']);
    const unknown = await check(text, { roles: 'email,chief' });
    expect(unknown.statusCode).toBe(400);
    const large = await check(Buffer.alloc(10 * 1024 ** 2 + 1, 'a'));
    expect(large.statusCode).toBe(413);
  });
});

describe('an import', () => {
  itOnSqlite(
    'creates accounts with their paid time, and mails each a link to set a password once',
    async () => {
      const done = await importFile(buildFile());
      expect(done).toMatchObject({
        state: 'done',
        done: 4,
        outcomes: { new: 2, duplicate: 1, invalid: 1 },
      });
      const users = await listUsers();
      expect(users).toMatchObject([
        { username: 'Sipho', paid_through: null, email_verified_at: null },
        { username: 'Thandi.Nkosi', paid_through: in30Days(), email_verified_at: null },
      ]);
      expect(sent.map(({ to }) => to).toSorted()).toEqual([
        'sipho@example.com',
        'thandi@example.com',
      ]);
      const text = sent.find(({ to }) => to.startsWith('thandi'))?.text ?? '';
      expect(text).toContain('You have Premium until 15 December');
      // The link is still good after the hourly clean-up, for a week.
      test.clock.advance(6 * DAY);
      const sweep = () =>
        sweepExpired(test.deps.database.db, { now: test.clock.now(), isDemo: false });
      await sweep();
      const token = /reset-password\/(\S+)/.exec(text)?.[1] ?? '';
      const person = test.createClient();
      const payload = { token, password: PASSWORD };
      const url = '/api/auth/reset-password/confirm';
      expect((await person.request({ method: 'POST', url, payload })).statusCode).toBeLessThan(300);
      const [, thandi] = await listUsers();
      expect(thandi?.email_verified_at).toBe(test.clock.now());
      const login = { username: 'thandi@example.com', password: PASSWORD };
      const me = await person.request({ method: 'POST', url: '/api/auth/login', payload: login });
      expect(me.json()).toMatchObject({ username: 'Thandi.Nkosi', isSubscriber: true });
      const preferences = await test.deps.database.db
        .selectFrom('preferences')
        .selectAll()
        .execute();
      expect(preferences).toMatchObject([{ release_mails: 0, news_mails: 0 }]);
    },
  );

  itOnSqlite('of the same file again changes nothing and mails nobody', async () => {
    await importFile(buildFile());
    const users = await listUsers();
    const ledger = () => test.deps.database.db.selectFrom('ledger_entries').selectAll().execute();
    const entries = await ledger();
    sent.length = 0;
    const again = await importFile(buildFile());
    expect(again.outcomes).toEqual({ member: 2, duplicate: 1, invalid: 1 });
    expect([await listUsers(), await ledger(), sent]).toEqual([users, entries, []]);
  });

  itOnSqlite('gives members more time, and never less', async () => {
    const { user } = await createSubscriber(test, 'lerato');
    const { paid_through: before } = (await listUsers())[0] ?? {};
    const paid = (days: number) =>
      `email,name,paid_until,release_mails\n${user.email},X,${iso(test.clock.now() + days * DAY)},true\n`;
    expect((await importFile(paid(10))).outcomes).toEqual({ member: 1 });
    expect((await listUsers())[0]?.paid_through).toBe(before);
    expect((await importFile(paid(90))).outcomes).toEqual({ extended: 1 });
    expect(await listUsers()).toMatchObject([
      { username: 'lerato', paid_through: test.clock.now() + 90 * DAY },
    ]);
    const entry = await test.deps.database.db
      .selectFrom('ledger_entries')
      .select(['kind', 'reason', 'actor'])
      .orderBy('seq', 'desc')
      .executeTakeFirst();
    expect(entry).toEqual({
      kind: 'grant',
      reason: 'Imported from another site.',
      actor: admin.user.id,
    });
    expect(sent).toEqual([]);
  });

  itOnSqlite('gives nothing to an account that only claims the address', async () => {
    await createUser(test, 'thandi', { isEmailVerified: false });
    await test.worker.runDue();
    sent.length = 0;
    const { outcomes } = await importFile(buildFile());
    expect(outcomes).toMatchObject({ unconfirmed: 1, new: 1 });
    expect((await listUsers())[1]).toMatchObject({ username: 'thandi', paid_through: null });
    expect(sent.map(({ to }) => to)).toEqual(['sipho@example.com']);
  });

  it('passes to an account that was registered with the address instead and confirmed it', async () => {
    await importFile(buildFile());
    sent.length = 0;
    await createUser(test, 'lwazi', { isEmailVerified: false });
    const { db } = test.deps.database;
    const email = { email: 'thandi@example.com', email_key: 'thandi@example.com x' };
    await db.updateTable('users').set(email).where('username', '=', 'lwazi').execute();
    await db.deleteFrom('jobs').where('name', '=', 'send-email-link').execute();
    const { client } = await logIn('lwazi');
    await client.request({ method: 'POST', url: '/api/me/email/link' });
    await test.worker.runDue();
    const token = /confirm-email\/(\S+)/.exec(sent[0]?.text ?? '')?.[1] ?? '';
    const confirm = { method: 'POST', url: '/api/auth/email/confirm', payload: { token } } as const;
    expect((await client.request(confirm)).statusCode).toBeLessThan(300);
    expect(await listUsers()).toMatchObject([
      { email: 'sipho@example.com' },
      { username: 'lwazi', email: 'thandi@example.com', paid_through: in30Days() },
    ]);
  });

  itOnSqlite('tells lines with free names apart', async () => {
    const names = ['Zola', 'zola', 'Zo', '你好', ''];
    const rows = names.map((name, index) => `mail${index}@example.com,${name}`);
    await importFile(`email,name\n${rows.join('\n')}\n`);
    const usernames = (await listUsers()).map(({ username }) => username);
    expect(usernames[0]).toBe('Zola');
    expect(usernames[1]).toMatch(/^zola-\d\d$/);
    expect(usernames[2]).toMatch(/^Zo-\d\d$/);
    expect(usernames[3]).toMatch(/^你好-\d\d$/);
    expect(usernames[4]).toBe('mail4');
  });

  itOnSqlite.each([1, 2, 3, 4, 5])(
    'killed at transaction %i continues, with each member once',
    async (transaction) => {
      const rows = Array.from({ length: 40 }, (_, index) => `m${index}@example.com,M${index}`);
      const csv = `email,name,paid_until,release_mails\n${rows.map((row) => `${row},${iso(in30Days())},true`).join('\n')}\n`;
      const { import: draft } = (await check(csv)).json<ImportCheck>();
      await start(draft.id);
      const { restart } = killAt(test.deps.database, {
        count: transaction,
        isAfter: transaction % 2 === 0,
      });
      await test.worker.runDue().catch(() => undefined);
      expect(restart()).toBe(true);
      test.clock.advance(HOUR);
      await test.worker.runDue();
      test.clock.advance(HOUR);
      await test.worker.runDue();
      expect(await readImport(draft.id)).toMatchObject({ state: 'done', outcomes: { new: 40 } });
      expect(await listUsers()).toHaveLength(40);
      const grants = await test.deps.database.db.selectFrom('ledger_entries').selectAll().execute();
      expect(grants).toHaveLength(40);
      const recipients = sent.map(({ to }) => to);
      expect(new Set(recipients).size).toBe(recipients.length);
    },
  );

  it('never sends an invitation again by itself when nobody knows whether it arrived', async () => {
    failNext = new UncertainSend('Silence.');
    await importFile('email\nzola@example.com\n');
    test.clock.advance(3 * DAY);
    await test.worker.runDue();
    expect(sent).toEqual([]);
    const [job] = await test.deps.database.db
      .selectFrom('jobs')
      .selectAll()
      .where('state', '=', 'dead')
      .execute();
    expect(job?.last_error).toContain('Nobody knows whether this e-mail arrived');
    await admin.client.request({ method: 'POST', url: `/api/admin/jobs/${job?.id}/retry` });
    await test.worker.runDue();
    expect(sent.map(({ to }) => to)).toEqual(['zola@example.com']);
  });

  itOnSqlite(
    'is forgotten with the account of a person, also under an address they had before',
    async () => {
      const { client, user } = await createSubscriber(test, 'lerato');
      const [before, after] = [user.email, 'lerato.new@example.com'];
      const { db } = test.deps.database;
      // The second line of an address belongs to no account.
      await importFile(`email,name\n${before},Lerato\n${before},Again\nzola@example.com,Zola\n`);
      await db
        .updateTable('users')
        .set({ email: after, email_key: after })
        .where('id', '=', user.id)
        .execute();
      await importFile(`email,name\nzola@example.com,Zola\n`);
      // A file that nobody imports.
      await check(`email,name\n${after},Lerato\n${after},Again\nsipho@example.com,Sipho\n`);
      const list = async () => {
        const lines = db.selectFrom('member_import_lines').select('email').orderBy('email');
        return (await lines.execute()).map(({ email }) => email);
      };
      const others = ['sipho@example.com', 'zola@example.com', 'zola@example.com'];
      expect(await list()).toEqual([before, before, after, after, ...others].toSorted());
      const payload = { password: PASSWORD, confirmation: 'delete' };
      const deleted = await client.request({ method: 'DELETE', url: '/api/me', payload });
      expect(deleted.statusCode).toBe(204);
      expect(await list()).toEqual(others);
    },
  );

  it('is forgotten line by line after a month', async () => {
    const done = await importFile(buildFile());
    const traces = () => findTraces(test.deps.database, ['nobody']);
    expect(await traces()).not.toEqual([]);
    test.clock.advance(31 * DAY);
    await sweepExpired(test.deps.database.db, { now: test.clock.now(), isDemo: false });
    admin = { ...admin, ...(await logIn(admin.user.username)) };
    expect(await readLines(done.id)).toEqual([]);
    expect(await traces()).toEqual([]);
    const { items } = (await admin.client.request({ url: '/api/admin/member-imports' })).json<{
      items: MemberImport[];
    }>();
    expect(items).toMatchObject([{ id: done.id, outcomes: { new: 2 } }]);
  });
});

describe('members as CSV', () => {
  const download = async (path = '') => {
    const answer = await admin.client.request({ url: `/api/admin/subscribers.csv${path}` });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    return answer.body;
  };

  itOnSqlite('come back on another site with their name, time and choices', async () => {
    await importFile(buildFile());
    const csv = await download('?filter=all');
    const exported = Papa.parse<Record<string, string>>(csv.replace(/^\uFEFF/, ''), {
      header: true,
    });
    expect(exported.data.find(({ email }) => email === 'thandi@example.com')).toMatchObject({
      name: 'Thandi.Nkosi',
      paid_until: iso(in30Days()),
      access: 'active',
      email_confirmed: 'false',
    });
    const here = await listUsers();
    const { db } = test.deps.database;
    const choices = () => db.selectFrom('preferences').select('release_mails').execute();
    const chosen = await choices();
    await db.deleteFrom('users').where('is_admin', '=', 0).execute();
    expect((await importFile(csv)).source).toBe('weekender');
    expect([await listUsers(), await choices()]).toEqual([here, chosen]);
  });

  it('never begin a cell with a formula', async () => {
    const { db } = test.deps.database;
    const { user } = await createUser(test, 'zola');
    const values = { email: '=1+1@example.com', email_key: '=1+1@example.com' };
    await db.updateTable('users').set(values).where('id', '=', user.id).execute();
    const { data } = Papa.parse<string[]>(await download('?q=zola'));
    expect(data.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    expect(data[1]?.[0]).toBe("'=1+1@example.com");
    const actions = await db.selectFrom('audit_log').select('action').execute();
    expect(actions).toEqual([{ action: 'members.exported' }]);
  });
});
