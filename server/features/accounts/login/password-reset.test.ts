/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import { buildDummyHash } from '../../../background/passwords.ts';
import { beforeNextTransaction } from '../../../testing/before-next-transaction.ts';
import { readTables } from '../../../testing/read-tables.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { changeEmail } from '../../../testing/test-email.ts';
import { createUser, PASSWORD } from '../../../testing/test-user.ts';
import { lockUserById } from '../queries.ts';
import { describeOnSqlite, itOnSqlite } from '../../../testing/on-sqlite.ts';

const NEW_PASSWORD = 'a better horse battery';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({ env: { SITE_NAME: 'Deep House' } });
});
afterEach(() => test.close());

const request = (email: string) =>
  test.app.inject({
    method: 'POST',
    url: '/api/auth/reset-password/request',
    payload: { email },
  });
const confirm = (token: string, password = NEW_PASSWORD) =>
  test.app.inject({
    method: 'POST',
    url: '/api/auth/reset-password/confirm',
    payload: { token, password },
  });
const login = (password: string) =>
  test.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'thandi', password },
  });

async function askForToken(email = 'thandi@example.com'): Promise<string> {
  test.clock.advance(1);
  await request(email);
  await test.worker.runDue();
  const { outbox } = await readTables(test.deps.database.db);
  return /\/reset-password\/([\w-]+)/.exec(outbox.at(-1)?.body_text ?? '')?.[1] ?? '';
}

describeOnSqlite('requesting a reset', () => {
  it('sends a link by e-mail, as text and HTML, that names the site', async () => {
    await createUser(test);
    const token = await askForToken('THANDI@example.com');
    expect(token).toMatch(/^[\w-]{43}$/);
    const { outbox } = await readTables(test.deps.database.db);
    const link = `${test.deps.site.origin}/reset-password/${token}`;
    expect(outbox).toHaveLength(1);
    expect(outbox[0]).toMatchObject({
      recipient: 'thandi@example.com',
      subject: 'Reset your Deep House password',
    });
    for (const body of [outbox[0]?.body_text, outbox[0]?.body_html])
      expect(body).toContain('asked to reset your Deep House password');
    expect(outbox[0]?.body_text).toContain(link);
    expect(outbox[0]?.body_html).toContain(`href="${link}"`);
  });

  it('responds the same and queues the same work for an unknown address', async () => {
    await createUser(test);
    const known = await request('thandi@example.com');
    const unknown = await request('nobody@example.com');
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
    expect(known.statusCode).toBe(204);
    const { jobs } = await readTables(test.deps.database.db);
    expect(jobs.map((job) => job.name)).toEqual(['send-password-reset', 'send-password-reset']);
    await test.worker.runDue();
    const { outbox, resets } = await readTables(test.deps.database.db);
    expect(outbox).toHaveLength(1);
    expect(resets).toHaveLength(1);
  });

  it('stores the token in plain text only in the message itself', async () => {
    await createUser(test);
    const token = await askForToken();
    const { outbox: _, ...kept } = await readTables(test.deps.database.db);
    expect(JSON.stringify(kept)).not.toContain(token);
  });
});

describeOnSqlite('a mail server outage', () => {
  it('of a whole day delays the message but does not lose it', async () => {
    await test.close();
    let isDown = true;
    const sent: string[] = [];
    const send = async ({ to }: { to: string }) => {
      if (isDown) throw new Error('The mail server is down.');
      sent.push(to);
    };
    test = await createTestApp({ mail: { send, close: () => {} } });
    await createUser(test);
    await request('thandi@example.com');
    const recovery = test.clock.now() + DAY;
    for (;;) {
      await test.worker.runDue();
      const [job] = (await readTables(test.deps.database.db)).jobs;
      expect(job?.state).toBe('ready');
      const nextRun = job?.run_at ?? 0;
      test.clock.advance(nextRun - test.clock.now());
      if (nextRun >= recovery) break;
    }
    isDown = false;
    await test.worker.runDue();
    expect(sent).toEqual(['thandi@example.com']);
    expect((await readTables(test.deps.database.db)).jobs).toEqual([]);
  });
});

/** Resolves when one of the two has ended or waits for a lock of the other. */
async function untilEndedOrBlocked(work: Promise<unknown>) {
  let hasEnded = false;
  void work.finally(() => {
    hasEnded = true;
  });
  // On SQLite a transaction excludes every other query, so there is nothing to wait for.
  const { db, dialect } = test.deps.database;
  if (dialect === 'postgres') await untilBlocked(db, 1, () => hasEnded);
}

/** Keeps a transaction open until the other work is blocked, then commits it. */
async function overtake<T>(change: (tx: Tx) => Promise<unknown>, work: () => Promise<T>) {
  return test.deps.database.db.transaction().execute(async (tx) => {
    await change(tx);
    const outcome = work();
    await untilEndedOrBlocked(outcome);
    return { outcome };
  });
}

describeOnSqlite('while a reset is running', () => {
  it('a login with the old password starts no session', async () => {
    await createUser(test);
    const token = await askForToken();
    beforeNextTransaction(test.deps.database, async () => {
      expect((await confirm(token)).statusCode).toBe(204);
    });
    const late = await login(PASSWORD);
    expect([late.statusCode, late.json<{ code: string }>().code]).toEqual([
      401,
      'invalid_credentials',
    ]);
    expect((await readTables(test.deps.database.db)).sessions).toEqual([]);
  });

  it('a login waits for a password that is about to change', async () => {
    const { user } = await createUser(test);
    const { outcome } = await overtake(
      (tx) =>
        tx
          .updateTable('users')
          .set({ password_hash: buildDummyHash(test.deps.passwordCost) })
          .where('id', '=', user.id)
          .execute(),
      () => login(PASSWORD),
    );
    expect((await outcome).statusCode).toBe(401);
  });

  it('a second request leaves one working link', async () => {
    const { user } = await createUser(test);
    await request('thandi@example.com');
    const { outcome } = await overtake(
      async (tx) => {
        await lockUserById(tx, test.deps.database.dialect, user.id);
        const expires_at = test.clock.now() + MINUTE;
        const row = { token_hash: 'another', user_id: user.id, created_at: 0, expires_at };
        await tx.insertInto('password_resets').values(row).execute();
      },
      () => test.worker.runDue(),
    );
    await outcome;
    const { outbox, resets } = await readTables(test.deps.database.db);
    expect(outbox).toHaveLength(1);
    expect(resets).toEqual([expect.objectContaining({ created_at: test.clock.now() })]);
  });

  it('a change of address leaves no link at the old one', async () => {
    const { user } = await createUser(test);
    await request('thandi@example.com');
    const { outcome } = await overtake(
      (tx) =>
        tx
          .updateTable('users')
          .set({ email: 'new@example.com', email_key: 'new@example.com' })
          .where('id', '=', user.id)
          .execute(),
      () => test.worker.runDue(),
    );
    await outcome;
    const { outbox, resets } = await readTables(test.deps.database.db);
    expect([outbox, resets]).toEqual([[], []]);
  });
});

describe('using the link', () => {
  itOnSqlite('sets the password and ends every session', async () => {
    const { client } = await createUser(test);
    const token = await askForToken();
    expect((await confirm(token)).statusCode).toBe(204);
    expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
    expect((await login(PASSWORD)).statusCode).toBe(401);
    expect((await login(NEW_PASSWORD)).statusCode).toBe(200);
  });

  it('works once, even when used twice at the same time', async () => {
    await createUser(test);
    const token = await askForToken();
    const responses = await Promise.all([confirm(token), confirm(token, 'yet another password')]);
    expect(responses.map((response) => response.statusCode).toSorted((a, b) => a - b)).toEqual([
      204, 400,
    ]);
    const again = await confirm(token);
    expect(again.json()).toMatchObject({ code: 'reset_token_invalid' });
  });

  itOnSqlite('works for 60 minutes', async () => {
    await createUser(test);
    const token = await askForToken();
    test.clock.advance(60 * MINUTE);
    expect((await confirm(token)).statusCode).toBe(400);
    const fresh = await askForToken();
    test.clock.advance(60 * MINUTE - 1);
    expect((await confirm(fresh)).statusCode).toBe(204);
  });

  itOnSqlite('stops working when a newer link is requested', async () => {
    await createUser(test);
    const older = await askForToken();
    const newer = await askForToken();
    expect((await confirm(older)).statusCode).toBe(400);
    expect((await confirm(newer)).statusCode).toBe(204);
  });

  itOnSqlite('stops working when the e-mail address changes', async () => {
    const { client, user } = await createUser(test);
    const token = await askForToken();
    await changeEmail(test, { client, user }, 'new@example.com');
    expect((await confirm(token)).statusCode).toBe(400);
  });

  itOnSqlite.each(['password123', 'short', 'x'.repeat(129)])(
    'keeps the token when the new password is refused: %s',
    async (password) => {
      await createUser(test);
      const token = await askForToken();
      const refused = await confirm(token, password);
      expect(refused.json()).toMatchObject({
        code: 'validation_failed',
        fields: { password: expect.any(String) },
      });
      expect((await confirm(token)).statusCode).toBe(204);
    },
  );

  itOnSqlite('changes nothing for an unknown token', async () => {
    await createUser(test);
    await askForToken();
    const before = await readTables(test.deps.database.db);
    const response = await confirm('A'.repeat(43));
    expect(response.statusCode).toBe(400);
    expect(await readTables(test.deps.database.db)).toEqual(before);
  });
});
