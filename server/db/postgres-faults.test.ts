/** @module-tag both-databases */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postgresSources, startFirst, type TestPostgres } from '#tools/testing/find-postgres.ts';
import { findOutage } from '../outage.ts';
import { startFrozenProxy, type FrozenProxy } from '../testing/frozen-proxy.ts';
import { StartProblem } from '../start-problem.ts';
import { connect, type Database } from './connect.ts';
import { migrate } from './schema/migrate.ts';
import type { PostgresLimits } from './open-postgres.ts';
import { prepareQuery } from './prepare-query.ts';

/** A PostgreSQL of its own, because other tests would notice its restarts. */
let postgres: TestPostgres | undefined;
let proxy: FrozenProxy;
let database: Database | undefined;

describe('PostgreSQL', () => {
  const silent = { error: () => undefined, info: () => undefined };

  function open(limits: Partial<PostgresLimits>, poolSize = 4): Database {
    const url = new URL(postgres?.url ?? '');
    url.search = '';
    url.host = `127.0.0.1:${proxy.port}`;
    database = connect({ kind: 'postgres', url: url.href, poolSize, limits }, silent);
    return database;
  }

  const ask = ({ db }: Database) => sql`select 1`.execute(db);
  const askSlowly = ({ db }: Database) => sql`select pg_sleep(60)`.execute(db);
  const kindOf = (work: Promise<unknown>) =>
    work.then(
      () => 'answered',
      (error: unknown) => findOutage(error)?.kind,
    );

  beforeAll(async () => {
    const { platform, arch } = process;
    postgres = await startFirst(postgresSources({ platform, arch, env: {} }));
  });
  afterAll(async () => postgres?.stop());

  beforeEach(async () => {
    const { port, searchParams } = new URL(postgres?.url ?? '');
    const folder = searchParams.get('host');
    proxy = await startFrozenProxy({
      port: Number(port),
      host: '127.0.0.1',
      ...(folder && { path: `${folder}/.s.PGSQL.${port}` }),
    });
  });
  afterEach(async () => {
    await postgres?.freeze?.(false);
    await database?.close();
    await proxy.close();
  });

  it('that is too old is refused with a sentence, and nothing is changed', async () => {
    // One connection of a real server, which finds its version in a function of ours.
    const { db } = open({}, 1);
    await sql`create schema old`.execute(db);
    await sql`create function old.current_setting(name text) returns text language sql
      as 'select case name when ''server_version_num'' then ''140022'' else ''14.22'' end'`.execute(
      db,
    );
    await sql`set search_path = old, pg_catalog, public`.execute(db);
    await expect(migrate({ db, dialect: 'postgres' }, 1)).rejects.toThrow(
      new StartProblem(
        'DATABASE_URL leads to PostgreSQL 14.22, which is too old. Upgrade it to PostgreSQL 15 or later, or use another server. Nothing was changed.',
      ),
    );
    expect(await db.introspection.getTables()).toEqual([]);
  });

  it('may restart while transactions and queries run: they fail, and all others work', async () => {
    const site = open({ restartMs: 30_000 });
    await site.db.transaction().execute(async (tx) => {
      // Tests don't wait for the disk, but this table must survive.
      await sql`set local synchronous_commit = on`.execute(tx);
      await sql`create table notes (text text)`.execute(tx);
    });
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([ask(site), ask(site), ask(site)]);
      const { promise: isRunning, resolve: onRunning } = Promise.withResolvers<void>();
      const { promise: restarted, resolve: onRestarted } = Promise.withResolvers<void>();
      const transaction = site.db.transaction().execute(async (tx) => {
        await sql`insert into notes values ('lost')`.execute(tx);
        onRunning();
        // The connection is lost while no query is running on it.
        await restarted;
        await sql`insert into notes values ('lost too')`.execute(tx);
      });
      await isRunning;
      const query = kindOf(askSlowly(site));
      const failed = kindOf(transaction);
      await ask(site);
      await postgres?.restart?.();
      onRestarted();
      expect([await query, await failed]).toEqual(['lost', 'lost']);
      const { rows } = await sql`select text from notes`.execute(site.db);
      expect(rows).toEqual([]);
    }
  });

  it('answers prepared queries across a restart', async () => {
    const site = open({ restartMs: 30_000 });
    const count = prepareQuery(
      (db) => ({ compile: () => sql<{ n: number }>`select 1 as n`.compile(db) }),
      0,
    );
    await count(site.db);
    const restarting = postgres?.restart?.();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => count(site.db)));
    await restarting;
    expect(answers.flat()).toEqual(Array.from({ length: 20 }, () => ({ n: 1 })));
  });

  it('replaces connections on which nothing comes any more, while others answer', async () => {
    const site = open({ doubtMs: 50 }, 2);
    await Promise.all([ask(site), ask(site)]);
    proxy.freezeOpen();
    expect(await Promise.all([kindOf(ask(site)), kindOf(ask(site))])).toEqual(['lost', 'lost']);
    expect(await kindOf(ask(site))).toBe('answered');
  });

  it('ends idle connections too when one is silent', async () => {
    const site = open({ doubtMs: 50 }, 3);
    await Promise.all([ask(site), ask(site), ask(site)]);
    proxy.freezeOpen();
    expect(await kindOf(ask(site))).toBe('lost');
    expect(await Promise.all([ask(site), ask(site), ask(site)].map(kindOf))).toEqual(
      Array.from({ length: 3 }, () => 'answered'),
    );
  });

  it('fails within a limit while nobody answers, and is used again afterwards', async () => {
    const site = open({ connectMs: 500, restartMs: 0 });
    proxy.freezeNew(true);
    expect(await kindOf(ask(site))).toBe('gone');
    proxy.freezeNew(false);
    expect(await kindOf(ask(site))).toBe('answered');
  });

  it('has no limit in a transaction that lifts it', async () => {
    const site = open({ doubtMs: 50, silenceMs: 100, statementMs: 50 });
    const slow = site.db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`select pg_sleep(0.5)`.execute(tx);
    });
    expect(await kindOf(slow)).toBe('answered');
    expect(await kindOf(askSlowly(site))).toBe('gone');
  });

  it('that is only slow is waited for, also by those who come meanwhile', async () => {
    const site = open({ doubtMs: 20, askMs: 10_000 }, 1);
    const slow = kindOf(sql`select pg_sleep(0.5)`.execute(site.db));
    expect(await Promise.all([slow, kindOf(ask(site))])).toEqual(['answered', 'answered']);
  });

  it('that is frozen is given up at once by all who wait and who come, until it answers', async () => {
    const site = open({ retryMs: 50 }, 2);
    await sql`create table orders (name text)`.execute(site.db);
    await Promise.all([ask(site), ask(site)]);
    const { promise: hasBegun, resolve: onBegun } = Promise.withResolvers<void>();
    const { promise: isFrozen, resolve: onFrozen } = Promise.withResolvers<void>();
    const write = kindOf(
      site.db.transaction().execute(async (tx) => {
        await sql`insert into orders values ('unknown')`.execute(tx);
        onBegun();
        await isFrozen;
      }),
    );
    await hasBegun;
    await postgres?.freeze?.(true);
    site.hurry();
    onFrozen();
    // More than it has connections: some wait for one.
    const waiting = Array.from({ length: 6 }, () => kindOf(ask(site)));
    // The commit has no answer, so it isn't acknowledged.
    expect(await write).not.toBe('answered');
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'gone'));
    expect(await kindOf(ask(site))).toBe('gone');
    await postgres?.freeze?.(false);
    await expect.poll(() => kindOf(ask(site)), { timeout: 10_000 }).toBe('answered');
    await sql`drop table orders`.execute(site.db);
  });

  it('that is frozen for a while doesn’t end what may take as long as it likes', async () => {
    const site = open({ retryMs: 50 });
    const { promise: hasBegun, resolve: onBegun } = Promise.withResolvers<void>();
    const copy = kindOf(
      site.db.transaction().execute(async (tx) => {
        await sql`set local statement_timeout = 0`.execute(tx);
        onBegun();
        await sql`select pg_sleep(0.3)`.execute(tx);
      }),
    );
    await hasBegun;
    await postgres?.freeze?.(true);
    site.hurry();
    expect(await kindOf(ask(site))).toBe('gone');
    await postgres?.freeze?.(false);
    expect(await copy).toBe('answered');
  });

  it('that takes no new connections is used as long as the open ones are answered', async () => {
    const site = open({ doubtMs: 50, askMs: 1000 }, 2);
    await Promise.all([ask(site), ask(site)]);
    proxy.freezeNew(true);
    let isOver = false;
    const slow = kindOf(sql`select pg_sleep(1.5)`.execute(site.db)).finally(() => (isOver = true));
    while (!isOver) expect(await kindOf(ask(site))).toBe('answered');
    expect(await slow).toBe('answered');
  });

  it('closes even if connections are silent', async () => {
    const site = open({ closeMs: 50 }, 2);
    await Promise.all([ask(site), ask(site)]);
    const running = kindOf(askSlowly(site));
    await ask(site);
    proxy.freezeOpen();
    await site.close();
    expect(await running).toBe('lost');
  });
});
