import pg from 'pg';
import { newId } from '#server/db/ids.ts';
import type { TestPostgres } from '../testing/find-postgres.ts';

export async function askPostgres<T extends pg.QueryResultRow>(
  url: string,
  query: string,
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  // It may be the process that is killed.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(query)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * An empty database that keeps what it has acknowledged. The clusters of tests acknowledge before they
 * write, which loses the last writes in a crash.
 */
export async function createDurableDatabase({ url: server }: TestPostgres): Promise<string> {
  const name = `chaos_${newId()}`;
  await askPostgres(server, `create database "${name}"`);
  await askPostgres(server, `alter database "${name}" set synchronous_commit = on`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
