/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startListenBrainz, type FakeScrobbler } from '../../testing/fake-scrobblers.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { confirmDevices } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createMusicApp } from '../../testing/test-subsonic.ts';
import { createSubscriber, type TestUser } from '../../testing/test-user.ts';
import { outsideAccess } from './outside-access.ts';
import { endSessions } from './service.ts';

let test: TestApp;
let scrobbler: FakeScrobbler;
let trackId: string;
beforeEach(async () => {
  scrobbler = await startListenBrainz();
  scrobbler.tokens.add('token');
  test = await createTestApp({ config: { allowsPrivateServers: true } });
  const { database, storage, clock } = test.deps;
  trackId = (await seedTrack({ db: database.db, storage, now: clock.now() })).id;
});
afterEach(async () => {
  await test.close();
  await scrobbler.close();
});

const isFound = async (url: string) => (await test.app.inject({ url })).statusCode === 200;

/** Gives the member each kind of access; returns whether it works, as whoever took it would see. */
const give: Record<string, (member: TestUser) => Promise<() => Promise<boolean>>> = {
  'download links': async ({ client }) => {
    const url = `/api/tracks/${trackId}/download`;
    const response = await client.request({ method: 'POST', url, payload: { format: 'mp3' } });
    return () => isFound(response.json<{ url: string }>().url);
  },
  'app passwords': async (member) => {
    const app = await createMusicApp(test, member);
    return async () => (await app.request('ping')).body.includes('"ok"');
  },
  'podcast feed': async ({ client }) => {
    const response = await client.request({ method: 'POST', url: '/api/me/podcast-feed' });
    const { own } = response.json<{ own: { url: string } }>();
    return () => isFound(new URL(own.url).pathname);
  },
  scrobbling: async ({ client, user }) => {
    const url = '/api/me/scrobbling/listenbrainz';
    const payload = { token: 'token', server: scrobbler.origin };
    await client.request({ method: 'PUT', url, payload });
    const { db } = test.deps.database;
    return async () => {
      const rows = await db.selectFrom('scrobble_accounts').select('user_id').execute();
      return rows.some(({ user_id }) => user_id === user.id);
    };
  },
};

const ENDINGS = [
  'account disabled',
  'other devices logged out',
  'account was in other hands',
] as const;

describe('what an account gives without a session', () => {
  it.each(ENDINGS)('ends when its sessions end (%s), of this account only', async (why) => {
    const owner = await createSubscriber(test, 'sipho');
    const other = await createSubscriber(test, 'thandi');
    await confirmDevices(test, owner);
    await confirmDevices(test, other);
    const { database } = test.deps;
    const given = await Promise.all(
      outsideAccess.map(async ({ name, table, survives = [] }) => ({
        name,
        table,
        survives: survives.includes(why),
        works: await give[name]?.(owner),
        worksForOther: await give[name]?.(other),
      })),
    );
    for (const { name, works } of given) expect([name, await works?.()]).toEqual([name, true]);
    await database.db.transaction().execute((tx) => endSessions(tx, test.deps, owner.user.id, why));
    for (const { name, table, survives, works, worksForOther } of given) {
      expect([name, await works?.()]).toEqual([name, survives]);
      expect([name, await worksForOther?.()]).toEqual([name, true]);
      if (!table) continue;
      const rows = await database.db.selectFrom(table).selectAll().execute();
      expect([name, JSON.stringify(rows).includes(owner.user.id)]).toEqual([name, survives]);
    }
    expect((await owner.client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
    expect((await other.client.request({ url: '/api/auth/me' })).statusCode).toBe(200);
  });
});

/** They have a secret of a user, and end in another way. */
const OTHERS: Record<string, string> = {
  sessions: 'the sessions themselves',
  passkeys: 'the owner’s way in: removed with a reset password, or one by one',
  passkey_challenges: 'some minutes',
  totp: 'the owner’s way in: turned off with a code',
  recovery_codes: 'the owner’s way in: replaced with a code',
  password_resets: 'deleted by whatever changes the password or disables the account',
  email_links: 'only tell whose an address is; overruled by the next one',
  playlists: 'the owner’s link to one playlist, which they see and can take back',
  shared_years: 'the owner’s link to a picture of one year, which they see and can take back',
  payment_methods: 'the card that we charge, which gives nobody anything',
};

it('every table with a secret of a user ends with the sessions, or says how it ends', async () => {
  const tables = await test.deps.database.db.introspection.getTables();
  const secret = /secret|token|hash|password|credential_id/;
  const undecided = tables.filter(({ name, columns }) => {
    const names = columns.map((column) => column.name);
    return (
      names.includes('user_id') &&
      names.some((column) => secret.test(column)) &&
      !names.includes('session_hash') &&
      !(name in OTHERS) &&
      !outsideAccess.some(({ table }) => table === name)
    );
  });
  expect(undecided.map(({ name }) => name)).toEqual([]);
});
