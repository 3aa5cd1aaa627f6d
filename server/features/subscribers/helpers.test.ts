/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import type { Report } from '#contract/admin/reports.ts';
import type { Subscriber } from '#contract/admin/subscribers.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { inviteMember } from '../accounts/service.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { DAY } from '#contract/rules/time.ts';
import { createAdmin, createHelper } from '../../testing/test-admin.ts';
import { openLink, readMails, requestEmail } from '../../testing/test-email.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';

let test: TestApp;
let admin: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  admin = await createAdmin(test);
});
afterEach(() => test.close());

const invite = (email: string) =>
  admin.client.request({ method: 'POST', url: '/api/admin/helpers', payload: { email } });
const remove = (id: string) =>
  admin.client.request({ method: 'DELETE', url: `/api/admin/helpers/${id}` });
const statusFor = async ({ client }: TestUser, url: string) =>
  (await client.request({ url })).statusCode;
const confirmAddress = (id: string) =>
  test.deps.database.db
    .updateTable('users')
    .set({ email_verified_at: test.clock.now() })
    .where('id', '=', id)
    .execute();

async function moveTo(user: TestUser, email: string) {
  await requestEmail(user, email);
  const links = (await readMails(test, email)).flatMap(
    ({ body_text }) => /confirm-email\/([\w-]+)/.exec(body_text)?.[1] ?? [],
  );
  expect((await openLink(test, 'confirm', links[0] ?? '')).statusCode).toBeLessThan(300);
}

describe('inviting a helper', () => {
  it('gives somebody with an account the role at once, and tells them', async () => {
    const member = await createUser(test, 'bheki');
    await confirmAddress(member.user.id);
    const answer = await invite(member.user.email.toUpperCase());
    expect(answer.json<Subscriber>()).toMatchObject({ isHelper: true, isAdmin: false });
    const me = await member.client.request({ url: '/api/auth/me' });
    expect(me.json<User>()).toMatchObject({ isHelper: true, isAdmin: false });
    expect(await statusFor(member, '/api/admin/tracks')).toBe(200);
    const subjects = (await readMails(test, member.user.email)).map(({ subject }) => subject);
    expect(subjects).toContain('You’re now a helper of Weekender');
  });

  it('asks somebody without an account to choose a password', async () => {
    const answer = await invite('palesa@example.com');
    expect(answer.json<Subscriber>()).toMatchObject({
      email: 'palesa@example.com',
      isHelper: true,
    });
    const [mail] = await readMails(test, 'palesa@example.com');
    expect(mail?.body_text).toContain('You’ve been asked to help run Weekender');
    expect(mail?.body_text).toContain('/reset-password/');
  });

  it('sends a new link to an imported member who never opened theirs', async () => {
    const { db } = test.deps.database;
    const now = test.clock.now();
    const account = { name: 'Palesa', email: 'palesa@example.com' };
    await db.transaction().execute((tx) => inviteMember(tx, test.deps, account, now));
    expect(await readMails(test, account.email)).toHaveLength(1);
    expect((await invite(account.email)).statusCode).toBe(200);
    const bodies = (await readMails(test, account.email)).map(({ body_text }) => body_text);
    expect(bodies).toHaveLength(2);
    const body = bodies.find((text) => text.includes('You’ve been asked to help run Weekender'));
    const token = /reset-password\/([\w-]+)/.exec(body ?? '')?.[1];
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/auth/reset-password/confirm',
      payload: { token, password: 'a quiet harbour at dawn' },
    });
    expect(answer.statusCode).toBeLessThan(300);
  });

  it('takes the place of the invitation of an import that still waits', async () => {
    const account = { name: 'Palesa', email: 'palesa@example.com' };
    await test.deps.database.db
      .transaction()
      .execute((tx) => inviteMember(tx, test.deps, account, test.clock.now()));
    expect((await invite(account.email)).statusCode).toBe(200);
    expect(await readMails(test, account.email)).toHaveLength(1);
  });

  it('counts for the account that is registered with the address instead of opening the link', async () => {
    await invite('palesa@example.com');
    expect(await readMails(test, 'palesa@example.com')).toHaveLength(1);
    const member = await createUser(test, 'palesa2');
    await confirmAddress(member.user.id);
    await moveTo(member, 'palesa@example.com');
    const me = await member.client.request({ url: '/api/auth/me' });
    expect(me.json<User>()).toMatchObject({ email: 'palesa@example.com', isHelper: true });
    expect(await statusFor(member, '/api/admin/tracks')).toBe(200);
    const rows = await test.deps.database.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('subject_id', '=', member.user.id)
      .execute();
    expect(rows).toEqual([{ action: 'helper.added', actor_id: member.user.id }]);
    const subjects = (await readMails(test, 'palesa@example.com')).map(({ subject }) => subject);
    expect(subjects).toContain('You’re now a helper of Weekender');
  });

  it('leaves an administrator who takes over the address an administrator', async () => {
    await invite('palesa@example.com');
    expect(await readMails(test, 'palesa@example.com')).toHaveLength(1);
    await confirmAddress(admin.user.id);
    await moveTo(admin, 'palesa@example.com');
    const me = await admin.client.request({ url: '/api/auth/me' });
    expect(me.json<User>()).toMatchObject({ email: 'palesa@example.com', isAdmin: true });
    expect(me.json<User>().isHelper).not.toBe(true);
  });

  it('refuses an address that its account never confirmed', async () => {
    const stranger = await createUser(test, 'bheki');
    await test.deps.database.db
      .updateTable('users')
      .set({ email_verified_at: null })
      .where('id', '=', stranger.user.id)
      .execute();
    const answer = await invite(stranger.user.email);
    expect(answer.statusCode).toBe(409);
    expect(answer.json<ErrorBody>().message).toContain('hasn’t confirmed this address');
    expect(await statusFor(stranger, '/api/admin/tracks')).toBe(404);
  });

  it('keeps an administrator an administrator', async () => {
    await confirmAddress(admin.user.id);
    const answer = await invite(admin.user.email);
    expect(answer.statusCode).toBe(403);
    expect(await statusFor(admin, '/api/admin/settings')).toBe(200);
  });

  it('is recorded, like removing one', async () => {
    const helper = await createUser(test, 'bheki');
    await confirmAddress(helper.user.id);
    await invite(helper.user.email);
    await remove(helper.user.id);
    const rows = await test.deps.database.db
      .selectFrom('audit_log')
      .select(['action', 'subject_id', 'actor_id'])
      .orderBy('action')
      .execute();
    const facts = { subject_id: helper.user.id, actor_id: admin.user.id };
    expect(rows).toEqual([
      { action: 'helper.added', ...facts },
      { action: 'helper.removed', ...facts },
    ]);
  });
});

describe('a helper', () => {
  it('is a member again as soon as they are removed', async () => {
    const helper = await createHelper(test);
    expect(await statusFor(helper, '/api/admin/tracks')).toBe(200);
    expect((await remove(helper.user.id)).json<Subscriber>()).toMatchObject({ isHelper: false });
    expect(await statusFor(helper, '/api/admin/tracks')).toBe(404);
  });

  it('hears mixes in full, before their release too', async () => {
    const helper = await createHelper(test);
    const { database, storage } = test.deps;
    const site = { db: database.db, storage, now: test.clock.now() };
    const out = await seedTrack(site, { title: 'Out' });
    const draft = await seedTrack(site, { title: 'Coming', publish_at: site.now + 30 * DAY });
    for (const { id } of [out, draft]) {
      const track = await helper.client.request({ url: `/api/tracks/${id}` });
      expect(track.json()).toMatchObject({ access: 'full' });
    }
    await remove(helper.user.id);
    const track = await helper.client.request({ url: `/api/tracks/${out.id}` });
    expect(track.json()).toMatchObject({ access: 'preview' });
    expect(await statusFor(helper, `/api/tracks/${draft.id}`)).toBe(404);
  });

  it('sees how mixes are played, but no money, and no list of who played them', async () => {
    const helper = await createHelper(test);
    const plays = await helper.client.request({ url: '/api/admin/reports/plays' });
    expect(plays.statusCode).toBe(200);
    expect(plays.json<Report>().figures.map(({ href }) => href)).not.toContainEqual(
      expect.stringContaining('/'),
    );
    for (const url of [
      'reports/revenue',
      'reports/live',
      'reports/plays.csv',
      'reports/plays/plays',
    ])
      expect([url, await statusFor(helper, `/api/admin/${url}`)]).toEqual([url, 404]);
  });
});
