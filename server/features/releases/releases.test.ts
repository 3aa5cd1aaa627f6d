/** @module-tag both-databases */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { recordRefusal } from '../../ports/mail/refused-addresses.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, createSubscriber } from '../../testing/test-user.ts';
import { changeSettings } from '../../db/settings.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { announceReleases } from './jobs.ts';
import { HOUR } from '#contract/rules/time.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

const sent: MailMessage[] = [];
let test: TestApp;

beforeAll(async () => {
  test = await createTestApp({
    mail: {
      send: async (message) => void sent.push(message),
      close: () => undefined,
    },
  });
});
afterAll(() => test.close());

const announce = () =>
  announceReleases.execute(test.deps, '{}', {
    id: '',
    attempt: 1,
    maxAttempts: 1,
    signal: new AbortController().signal,
    finish: async () => undefined,
  });

/** One look, as every minute, and the messages that follow from it. */
async function look(): Promise<string[]> {
  sent.length = 0;
  await announce();
  await test.worker.runDue();
  return sent.map(({ to }) => to).toSorted();
}

it('e-mails each member once about a release, subscribers first, also after a downtime', async () => {
  const { database, storage } = test.deps;
  await createUser(test, 'free');
  const isEmailVerified = false;
  await createUser(test, 'unverified', { isEmailVerified });
  await test.worker.runDue();
  const { client: quiet } = await createUser(test, 'quiet');
  await quiet.request({
    method: 'PATCH',
    url: '/api/me/preferences',
    payload: { releaseMails: false },
  });
  await createSubscriber(test, 'paying');
  const { user: disabled } = await createUser(test, 'disabled');
  await database.db
    .insertInto('disabled_accounts')
    .values({ user_id: disabled.id, at: test.clock.now(), reason: 'Spam' })
    .execute();
  const now = test.clock.now();
  const { id } = await seedTrack(
    { db: database.db, storage, now },
    { publish_at: now + 72 * HOUR, announced_at: null, title: 'Night <Bus>' },
  );
  expect(await look()).toEqual([]);
  test.clock.advance(24 * HOUR);
  expect(await look()).toEqual(['paying@example.com']);
  expect(sent[0]).toMatchObject({ subject: 'Week 46: Night <Bus>' });
  expect(sent[0]?.html).toContain('Night &lt;Bus&gt;');
  expect(sent[0]?.text).toContain(`/track/${id}`);
  expect(sent[0]?.text).toContain(`Week 46 is out on ${test.deps.config.siteName}.`);
  expect(sent[0]?.text).toContain('About 0.1 MB. With data saver 0.1 MB.');
  expect(sent[0]?.unsubscribeUrl).toContain('/api/unsubscribe/');
  expect(await look()).toEqual([]);
  // The server was down at its minute, and for two days more.
  test.clock.advance(96 * HOUR);
  expect(await look()).toEqual(['free@example.com']);
  expect(sent.at(-1)?.text).toContain('The preview uses about 0.5 MB.');
  expect(await look()).toEqual([]);
});

itOnSqlite(
  'e-mails subscribers when their early access starts, however long the site makes it',
  async () => {
    const { database, storage } = test.deps;
    const now = test.clock.now();
    await changeSettings(database.db, { earlyAccessHours: 24 }, now);
    const at = { db: database.db, storage, now };
    await seedTrack(at, { publish_at: now + 25 * HOUR, announced_at: null });
    expect(await look()).toEqual([]);
    test.clock.advance(HOUR);
    expect(await look()).toEqual(['paying@example.com']);
    test.clock.advance(24 * HOUR);
    expect(await look()).toEqual(['free@example.com']);
    await changeSettings(database.db, { earlyAccessHours: 48 }, test.clock.now());
  },
);

it('waits when the release was moved to a later time', async () => {
  const { database, storage } = test.deps;
  const now = test.clock.now();
  const at = { db: database.db, storage, now };
  const { id } = await seedTrack(at, { publish_at: now, announced_at: null });
  await announce();
  await database.db
    .updateTable('tracks')
    .set({ publish_at: now + 96 * HOUR })
    .where('id', '=', id)
    .execute();
  sent.length = 0;
  await test.worker.runDue();
  expect(sent).toEqual([]);
  test.clock.advance(97 * HOUR);
  expect(await look()).toContain('free@example.com');
});

it('sends nothing that waits to an account that was disabled, or whose address refuses mail, meanwhile', async () => {
  const { database, storage } = test.deps;
  const now = test.clock.now();
  const { user: banned } = await createUser(test, 'banned');
  const { user: refusing } = await createUser(test, 'refusing');
  await seedTrack({ db: database.db, storage, now }, { publish_at: now, announced_at: null });
  await announce();
  await database.db
    .insertInto('disabled_accounts')
    .values({ user_id: banned.id, at: now, reason: 'Spam' })
    .execute();
  await recordRefusal(
    database.db,
    { email: refusing.email, reason: 'User unknown', source: 'bounce' },
    now,
  );
  sent.length = 0;
  await test.worker.runDue();
  expect(sent.map(({ to }) => to).toSorted()).toEqual(['free@example.com', 'paying@example.com']);
  const left = database.db.selectFrom('jobs').select('id').where('name', '=', 'send-release-mail');
  expect(await left.execute()).toEqual([]);
  const planned = database.db.selectFrom('sent_messages').select('key');
  expect(await planned.where('user_id', 'in', [banned.id, refusing.id]).execute()).toEqual([]);
});

it('announces neither drafts nor old releases', async () => {
  const { database, storage } = test.deps;
  const at = { db: database.db, storage, now: test.clock.now() };
  await seedTrack(at, { publish_at: null, announced_at: null });
  await seedTrack(at, { publish_at: test.clock.now() - 30 * 24 * HOUR, announced_at: null });
  expect(await look()).toEqual([]);
});
