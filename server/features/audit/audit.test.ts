/** @module-tag both-databases */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/admin/audit.ts';
import type { Tx } from '../../db/connect.ts';
import { encodeCursor } from '../../http/route/paginate.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { listAuditEntries, recordAction } from './service.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const inTransaction = <T>(work: (tx: Tx) => Promise<T>) =>
  test.deps.database.db.transaction().execute(work);

const record = (action: Partial<Parameters<typeof recordAction>[1]> = {}) =>
  inTransaction((tx) =>
    recordAction(
      tx,
      {
        actor: 'console',
        action: 'user.disabled',
        subject: { kind: 'user', id: 'somebody' },
        ...action,
      },
      test.clock.now(),
    ),
  );

async function read(client: TestClient, query = '') {
  const response = await client.request({ url: `/api/admin/audit${query}` });
  expect(response.statusCode).toBe(200);
  return response.json<{ items: AuditEntry[]; nextCursor: string | null }>();
}

describe('the audit log', () => {
  it('records who did what to whom, and what changed', async () => {
    const { client, user } = await createAdmin(test);
    const { user: other } = await createUser(test);
    await record({
      actor: {
        user: { ...user, is_admin: 1 } as never,
        requestId: 'request-1',
      },
      subject: { kind: 'user', id: other.id },
      before: { isAdmin: false },
      after: { isAdmin: true },
      reason: 'Runs the label.',
    });
    const { items } = await read(client);
    expect(items).toEqual([
      {
        id: expect.any(String),
        at: test.clock.now(),
        actor: { id: user.id, name: 'naledi' },
        via: 'web',
        action: 'user.disabled',
        subject: {
          kind: 'user',
          id: other.id,
          name: 'thandi',
          weekNumber: null,
          isDeleted: false,
        },
        changes: [{ field: 'isAdmin', before: 'false', after: 'true' }],
        reason: 'Runs the label.',
        requestId: 'request-1',
      },
    ]);
  });

  it('has no entry for an action that was rolled back', async () => {
    const { client } = await createAdmin(test);
    const failing = inTransaction(async (tx) => {
      await recordAction(
        tx,
        { actor: 'console', action: 'site.changed', subject: { kind: 'site' } },
        test.clock.now(),
      );
      throw new Error('not after all');
    });
    await expect(failing).rejects.toThrow('not after all');
    expect((await read(client)).items).toEqual([]);
  });

  it('keeps entries about deleted accounts, without their names', async () => {
    const { client } = await createAdmin(test);
    const { user } = await createUser(test);
    await record({ subject: { kind: 'user', id: user.id } });
    await test.deps.database.db.deleteFrom('users').where('id', '=', user.id).execute();
    const { items } = await read(client);
    expect(items[0]?.subject).toMatchObject({ kind: 'user', id: user.id, name: null });
  });

  it('rejects secrets and names', async () => {
    for (const field of ['password', 'resetToken', 'email', 'username'])
      await expect(record({ after: { [field]: 'x' } })).rejects.toThrow(/doesn.t accept/);
  });

  it('can’t be changed or emptied, not even by the database’s owner', async () => {
    await record();
    const { db } = test.deps.database;
    await expect(db.updateTable('audit_log').set({ action: 'nothing' }).execute()).rejects.toThrow(
      'The audit log cannot be changed.',
    );
    await expect(db.deleteFrom('audit_log').execute()).rejects.toThrow(
      'The audit log cannot be changed.',
    );
    const before = await db.selectFrom('audit_log').selectAll().execute();
    const forms =
      test.deps.database.dialect === 'postgres'
        ? [
            'truncate audit_log',
            'truncate audit_log restart identity cascade',
            `insert into audit_log select * from audit_log on conflict (id) do update set action = 'x'`,
          ]
        : [
            'delete from audit_log where true',
            `update or replace audit_log set action = 'x'`,
            `replace into audit_log select * from audit_log`,
            `insert or replace into audit_log (id, at, via, action, subject_kind)
             select id, 0, 'web', 'x', 'site' from audit_log`,
          ];
    for (const form of forms)
      await expect(sql.raw(form).execute(db)).rejects.toThrow('The audit log cannot be changed.');
    expect(before).toMatchObject([{ action: 'user.disabled' }]);
    expect(await db.selectFrom('audit_log').selectAll().execute()).toEqual(before);
  });

  it('is paginated, newest first, and can be filtered by subject', async () => {
    const { client, user } = await createAdmin(test);
    for (let index = 0; index < 5; index += 1) {
      test.clock.advance(1000);
      await record({ action: `action-${index}`, subject: { kind: index % 2 ? 'site' : 'user' } });
    }
    const first = await read(client, '?limit=3');
    const second = await read(client, `?limit=3&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ action }) => action)).toEqual(
      [4, 3, 2, 1, 0].map((index) => `action-${index}`),
    );
    expect(second.nextCursor).toBeNull();
    const sites = await read(client, '?kind=site');
    expect(sites.items.map(({ action }) => action)).toEqual(['action-3', 'action-1']);
    expect((await read(client, `?actor=${user.id}`)).items).toEqual([]);
  });

  itOnSqlite.each(['?limit=0', '?kind=nothing', '?cursor=x', '?subject=a%20b', '?colour=red'])(
    'rejects %s',
    async (query) => {
      const { client } = await createAdmin(test);
      const response = await client.request({ url: `/api/admin/audit${query}` });
      expect(response.statusCode).toBe(400);
    },
  );

  it.each([{}, { kind: 'user' }, { actor: 'a' }, { subject: 'a' }])(
    'uses an index for %o',
    async (filter) => {
      const { database } = test.deps;
      const steps = await recordPlan(database, () =>
        listAuditEntries(database.db, filter, { cursor: encodeCursor(['z']), limit: 20 }),
      );
      expect(findFullScans(steps, 'audit_log')).toEqual([]);
    },
  );
});
