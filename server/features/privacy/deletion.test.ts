/** @module-tag both-databases */
import type { LightMyRequestResponse } from 'fastify';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { findTraces, readAllTables } from '../../testing/read-all-tables.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { playlistClient, seedTracks } from '../../testing/test-playlists.ts';
import { codeAt, HALF_MINUTE, enableTwoStepLogin } from '../../testing/test-totp.ts';
import { createUser, createSubscriber, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let sent: MailMessage[];
beforeEach(async () => {
  sent = [];
  const mail = {
    send: async (message: MailMessage) => void sent.push(message),
    close: () => undefined,
  };
  test = await createTestApp({ mail });
});
afterEach(() => test.close());

const confirmation = 'delete';
const requestDeletion = (
  { client }: TestUser,
  payload: object = { password: PASSWORD, confirmation },
) => client.request({ method: 'DELETE', url: '/api/me', payload });
const codeOf = (response: LightMyRequestResponse) => response.json<ErrorBody>().code;

/** Creates all the data that a user can have. */
async function useEverything({ client, user }: TestUser) {
  const [track] = await seedTracks(test, ['Golden Hour Pressure']);
  const id = track?.id ?? '';
  const send = async (method: 'POST' | 'PATCH' | 'PUT', url: string, payload?: object) => {
    const response = await client.request({ method, url, ...(payload && { payload }) });
    expect([url, response.statusCode < 300]).toEqual([url, true]);
    return response;
  };
  await send('POST', `/api/tracks/${id}/favorite`);
  const started = await send('POST', `/api/tracks/${id}/play`);
  const { playId } = started.json<{ playId: string }>();
  test.clock.advance(20_000);
  await send('POST', `/api/plays/${playId}/heartbeat`, { secondsListened: 20, position: 20 });
  await playlistClient(client).create({ name: `Of ${user.username}`, trackIds: [id] });
  await send('POST', `/api/tracks/${id}/download`, { format: 'mp3' });
  await send('PATCH', '/api/me/preferences', { analytics: false });
  await client.request({ url: '/api/me/export' });
  const event = { at: 1, name: 'Page Viewed', user_id: user.id, device: 'phone', properties: '{}' };
  await test.deps.database.db
    .insertInto('analytics_events')
    .values({ id: 'event', ...event })
    .execute();
  const create = { width: 8, height: 8, channels: 3, background: '#c52' } as const;
  const payload = await sharp({ create }).png().toBuffer();
  const headers = { 'content-type': 'image/png' };
  const url = `/api/users/${user.id}/avatar`;
  const response = await client.request({ method: 'PUT', url, payload, headers });
  await test.app.inject({
    method: 'POST',
    url: '/api/auth/reset-password/request',
    payload: { email: user.email },
  });
  return { trackId: id, avatarUrl: response.json<User>().avatarUrl ?? '' };
}

describe('deleting an account', () => {
  it('leaves no trace of the user in any table and keeps the plays', async () => {
    const testUser = await createSubscriber(test, 'sipho.dlamini');
    const other = await createUser(test, 'thandi');
    const { trackId, avatarUrl } = await useEverything(testUser);
    const two = await enableTwoStepLogin(test, testUser);
    test.clock.advance(HALF_MINUTE);
    const { db } = test.deps.database;
    const figures = () => db.selectFrom('play_days').selectAll().execute();
    const before = await figures();
    const traces = [testUser.user.id, 'sipho.dlamini'];
    const tablesWithTraces = (await findTraces(test.deps.database, traces)).map(
      (row) => row.split(':')[0],
    );
    expect(tablesWithTraces).toEqual(
      expect.arrayContaining(
        'analytics_events counted_plays downloads favorites jobs listener_days listener_visits playlists plays preferences progress recovery_codes sessions totp users'.split(
          ' ',
        ),
      ),
    );
    expect((await test.app.inject({ url: avatarUrl })).statusCode).toBe(200);

    const code = codeAt(test, two.secret);
    const response = await requestDeletion(testUser, { password: PASSWORD, confirmation, code });
    expect(response.statusCode).toBe(204);
    expect(testUser.client.cookies.size).toBe(0);
    await test.worker.runDue();

    expect(await findTraces(test.deps.database, traces)).toEqual([]);
    expect(await figures()).toEqual(before);
    const plays = await db.selectFrom('plays').selectAll().execute();
    expect(plays).toMatchObject([{ track_id: trackId, user_id: null, is_counted: 1 }]);
    expect(plays[0]?.listener_key).toMatch(/^gone:/);
    const days = await db.selectFrom('listener_days').selectAll().execute();
    expect(days).toMatchObject([{ track_id: trackId }]);
    expect(days[0]?.listener_key).toMatch(/^gone:/);
    expect(days[0]?.listener_key).not.toBe(plays[0]?.listener_key);
    const events = await db.selectFrom('analytics_events').selectAll().execute();
    expect(events).toMatchObject([{ name: 'Page Viewed', user_id: null, device: null }]);
    expect((await test.app.inject({ url: avatarUrl })).statusCode).toBe(404);
    expect(sent.map(({ to, subject }) => [to, subject]).at(-1)).toEqual([
      'sipho.dlamini@example.com',
      'Your Weekender account has been deleted',
    ]);
    expect((await other.client.request({ url: '/api/auth/me' })).statusCode).toBe(200);
  });

  itOnSqlite('ends every session and frees the username and the address', async () => {
    const testUser = await createUser(test);
    const phone = test.createClient();
    const payload = { username: 'thandi', password: PASSWORD };
    await phone.request({ method: 'POST', url: '/api/auth/login', payload });
    await requestDeletion(testUser);
    for (const client of [testUser.client, phone])
      expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
    expect((await createUser(test)).user.id).not.toBe(testUser.user.id);
  });

  it('deletes stored and unsent messages', async () => {
    const testUser = await createUser(test);
    const { db } = test.deps.database;
    const other = await createUser(test, 'sipho');
    const text = { subject: 'x', body_text: 'Hello thandi', body_html: 'x', created_at: 1 };
    await db
      .insertInto('outbox')
      .values([
        { id: 'a', recipient: testUser.user.email, ...text },
        { id: 'b', recipient: other.user.email, ...text, body_text: 'Hello sipho' },
      ])
      .execute();
    for (const email of ['THANDI@example.com', other.user.email])
      await test.app.inject({
        method: 'POST',
        url: '/api/auth/reset-password/request',
        payload: { email },
      });
    await db.updateTable('jobs').set({ state: 'dead' }).execute();
    await requestDeletion(testUser);
    await test.worker.runDue();
    expect(await findTraces(test.deps.database, ['thandi'])).toEqual([]);
    expect(await db.selectFrom('outbox').select('id').execute()).toEqual([{ id: 'b' }]);
    expect(await db.selectFrom('jobs').select('state').execute()).toEqual([{ state: 'dead' }]);
  });

  itOnSqlite('requires the password and the confirmation, or changes nothing', async () => {
    const testUser = await createUser(test);
    const refusals: [payload: object, status: number, code: string][] = [
      [{ password: 'a wrong guess', confirmation }, 403, 'wrong_password'],
      [{ password: PASSWORD }, 400, 'validation_failed'],
      [{ password: PASSWORD, confirmation: 'yes' }, 400, 'validation_failed'],
      [{ confirmation }, 400, 'validation_failed'],
      [{ password: PASSWORD, confirmation, id: 'x' }, 400, 'validation_failed'],
    ];
    const before = await readAllTables(test.deps.database);
    for (const [payload, status, code] of refusals) {
      const response = await requestDeletion(testUser, payload);
      expect([response.statusCode, codeOf(response)]).toEqual([status, code]);
    }
    const after = await readAllTables(test.deps.database);
    // A wrong password counts, as it should.
    for (const tables of [before, after]) tables.delete('rate_limits');
    expect(after).toEqual(before);
  });

  itOnSqlite('requires a code if two-step login is on', async () => {
    const testUser = await createUser(test);
    await enableTwoStepLogin(test, testUser);
    expect(codeOf(await requestDeletion(testUser))).toBe('totp_required');
    const wrong = await requestDeletion(testUser, {
      password: PASSWORD,
      confirmation,
      code: '000000',
    });
    expect(codeOf(wrong)).toBe('totp_invalid');
    expect((await testUser.client.request({ url: '/api/auth/me' })).statusCode).toBe(200);
  });

  it('happens once, even when requested twice at the same time', async () => {
    const testUser = await createUser(test);
    const again = test.createClient();
    for (const [name, value] of testUser.client.cookies) again.cookies.set(name, value);
    const responses = await Promise.all([
      requestDeletion(testUser),
      requestDeletion({ ...testUser, client: again }),
    ]);
    const codes = responses.map(({ statusCode }) => statusCode);
    expect(codes).toContain(204);
    expect(codes.filter((code) => code >= 500)).toEqual([]);
    await test.worker.runDue();
    expect(sent).toHaveLength(1);
  });

  itOnSqlite('requires a login', async () => {
    const response = await test.app.inject({ method: 'DELETE', url: '/api/me', payload: {} });
    expect(response.statusCode).toBe(401);
  });
});

describe('an administrator', () => {
  const promote = ({ user }: TestUser) =>
    test.deps.database.db
      .updateTable('users')
      .set({ is_admin: 1 })
      .where('id', '=', user.id)
      .execute();

  it('cannot delete their account if they are the only one', async () => {
    const admin = await createUser(test);
    await createUser(test, 'sipho');
    await promote(admin);
    const response = await requestDeletion(admin);
    expect([response.statusCode, codeOf(response)]).toEqual([409, 'last_admin']);
  });

  it('can delete their account if there is another; of two at once one stays', async () => {
    const admins = [await createUser(test, 'thandi'), await createUser(test, 'sipho')];
    for (const admin of admins) await promote(admin);
    const responses = await Promise.all(admins.map((admin) => requestDeletion(admin)));
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      204, 409,
    ]);
  });
});
