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
  const silent = { error: () => undefined };

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

  it('replaces connections that went silent', async () => {
    const site = open({ silenceMs: 200 }, 2);
    await Promise.all([ask(site), ask(site)]);
    proxy.freezeOpen();
    expect(await Promise.all([kindOf(ask(site)), kindOf(ask(site))])).toEqual(['lost', 'lost']);
    expect(await kindOf(ask(site))).toBe('answered');
  });

  it('ends idle connections too when one is silent', async () => {
    const site = open({ silenceMs: 200 }, 3);
    await Promise.all([ask(site), ask(site), ask(site)]);
    proxy.freezeOpen();
    expect(await kindOf(ask(site))).toBe('lost');
    expect(await Promise.all([ask(site), ask(site), ask(site)].map(kindOf))).toEqual(
      Array.from({ length: 3 }, () => 'answered'),
    );
  });

  it('fails within a limit while nobody answers, and is used again afterwards', async () => {
    const site = open({ connectMs: 100, restartMs: 0 });
    proxy.freezeNew(true);
    expect(await kindOf(ask(site))).toBe('gone');
    proxy.freezeNew(false);
    expect(await kindOf(ask(site))).toBe('answered');
  });

  it('has no limit in a transaction that lifts it', async () => {
    const site = open({ silenceMs: 250, statementMs: 50 });
    const slow = site.db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`select pg_sleep(0.5)`.execute(tx);
    });
    expect(await kindOf(slow)).toBe('answered');
    expect(await kindOf(askSlowly(site))).toBe('gone');
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
