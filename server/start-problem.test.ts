import { DatabaseSync } from 'node:sqlite';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { PROVIDER } from './testing/test-app.ts';
import { describeStartError, listWarnings } from './start-problem.ts';

const config = parseConfig({ DATA_DIR: '/srv/music' });
const describe = (error: unknown) => describeStartError(error, config);

it.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN'])(
  'explains an unreachable database: %s',
  (code) => {
    const sentence = `Can't reach the database (${code}). Check DATABASE_URL and that PostgreSQL is running.`;
    expect(describe(Object.assign(new Error('connect'), { code }))).toBe(sentence);
  },
);

it('explains a database that does not answer', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 20 });
  client.on('error', () => {});
  const error: unknown = await client.connect().catch((reason: unknown) => reason);
  silent.close();
  expect(describe(error)).toMatch(/^The database took too long to respond\. Check DATABASE_URL/);
});

it('explains a database that another program has locked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'test-busy-'));
  const file = join(folder, 'database.sqlite');
  const [holder, late] = [new DatabaseSync(file), new DatabaseSync(file, { timeout: 0 })];
  try {
    holder.exec('begin exclusive');
    let error: unknown;
    try {
      late.exec('begin immediate');
    } catch (reason) {
      error = reason;
    }
    expect(describe(error)).toBe(
      'The database file /srv/music/demo/database.sqlite is locked by another program. Stop it, or set DATA_DIR to another folder.',
    );
  } finally {
    for (const database of [holder, late]) database.close();
    await rm(folder, { recursive: true, force: true });
  }
});

it('keeps the stack of an unexpected error', () => {
  expect(describe(new Error('Something else'))).toBeNull();
});

const LIVE = {
  APP_ORIGIN: 'https://music.example',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'a@example.com',
  ...PROVIDER,
};

it.each([
  [{}, []],
  [{ ...LIVE, SMTP_URL: '', MAIL_FROM: '' }, [expect.stringMatching(/^SMTP_URL is not set/)]],
  [LIVE, []],
  [
    { ...LIVE, PAYSTACK_SECRET_KEY: 'sk_test_0123456789' },
    [expect.stringMatching(/^This is a paystack test key/)],
  ],
  [
    { ...LIVE, DATABASE_URL: 'postgres://u:p@db.example/music' },
    [expect.stringMatching(/^DATABASE_URL doesn’t ask for TLS/)],
  ],
  [{ ...LIVE, DATABASE_URL: 'postgres://u:p@db.example/music?sslmode=verify-full' }, []],
  [{ ...LIVE, DATABASE_URL: 'postgres://u:p@127.0.0.1/music' }, []],
  [{ ...LIVE, DATABASE_URL: 'postgres://u:p@database/music' }, []],
])('warns the operator about %j', (env, expected) => {
  expect(listWarnings(parseConfig(env))).toEqual(expected);
});
