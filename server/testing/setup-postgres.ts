import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startTestPostgres } from '#tools/testing/find-postgres.ts';
import { connect } from '../db/connect.ts';
import { migrate } from '../db/schema/migrate.ts';
import { newId } from '../db/ids.ts';
import type {} from './vitest-context.ts';

const withAdmin = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const dropAll = (serverUrl: string, prefix: string): Promise<void> =>
  withAdmin(serverUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`);
  });

/** Migrates one database that every test copies; at the end removes what this run created. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const postgres = await startTestPostgres();
  const templateName = `test_${newId()}`;
  const teardown = async (): Promise<void> => {
    try {
      await dropAll(postgres.url, templateName);
    } finally {
      await postgres.stop();
    }
  };
  try {
    await withAdmin(postgres.url, (client) => client.query(`create database "${templateName}"`));
    const url = new URL(postgres.url);
    url.pathname = `/${templateName}`;
    const database = connect({ kind: 'postgres', url: url.href }, console);
    await migrate(database, 0);
    await database.close();
    project.provide('testDatabases', {
      dialect: 'postgres',
      serverUrl: postgres.url,
      templateName,
    });
    return teardown;
  } catch (error) {
    await teardown();
    throw error;
  }
};
