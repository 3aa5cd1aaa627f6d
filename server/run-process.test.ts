import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { parseConfig } from './config.ts';
import { startProcess } from './run-process.ts';
import { describeStartError } from './start-problem.ts';

/** Servers and workers begin with the same steps; `main.test.ts` starts some of them as processes. */

let folder: string;
/** Of a demo, where tests set nothing else. */
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-start-'));
  data = join(folder, 'data', 'demo');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What a start that is meant to fail before it listens says on the console. */
async function failToStart(env: Record<string, string> = {}): Promise<string | null> {
  const config = parseConfig({ DATA_DIR: join(folder, 'data'), ...env });
  let hasStarted = false;
  const error: unknown = await startProcess(config, async () => {
    hasStarted = true;
    throw new Error('The start goes on.');
  }).catch((reason: unknown) => reason);
  expect(hasStarted).toBe(false);
  return describeStartError(error, config);
}

/** Changes the database that the server will find, as an earlier start of it has left it. */
async function prepareDatabase(change: string): Promise<void> {
  const databases = inject('testDatabases');
  if (databases.dialect !== 'sqlite') throw new Error('Starts are tested on SQLite.');
  await mkdir(data, { recursive: true, mode: 0o700 });
  const file = join(data, 'database.sqlite');
  await copyFile(databases.templateFile, file);
  await chmod(file, 0o600);
  const database = new DatabaseSync(file);
  database.exec(change);
  database.close();
}

it('refuses a database of a newer version', async () => {
  await prepareDatabase("insert into schema_migrations values ('9999-from-the-future', 0)");
  expect(await failToStart()).toMatch(/^The database was last used by a newer version.*$/);
});

it.each([join('files', '.restoring', 'tracks'), 'database.sqlite.restoring'])(
  'refuses a folder in which an interrupted restore left %s',
  async (left) => {
    await mkdir(join(data, left), { recursive: true });
    expect(await failToStart()).toMatch(/^A restore into .* was interrupted .*npm run restore.*$/);
  },
);

it('refuses a database file that isn’t a database', async () => {
  await mkdir(join(data, 'database.sqlite'), { recursive: true });
  expect(await failToStart()).toMatch(/^The database file .*database\.sqlite can't be opened.*$/);
});

it('refuses a data folder that can’t be created', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'in the way');
  expect(await failToStart({ DATA_DIR: join(file, 'deeper') })).toMatch(
    /^Can't write to the data folder .* \(\w+\)\. Set DATA_DIR.*$/,
  );
});

const cutOff = () => new Error('Connection terminated unexpectedly');

/** Starts a process that loses PostgreSQL so many times, and doesn't get to its end. */
async function loseDatabase(interruptions: number) {
  const config = parseConfig({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' });
  let count = 0;
  const stopped: number[] = [];
  const error: unknown = await startProcess(config, async ({ onStop }) => {
    const number = (count += 1);
    onStop(async () => void stopped.push(number));
    if (number <= interruptions) throw cutOff();
    throw new Error('The start goes on.');
  }).catch((reason: unknown) => reason);
  return { count, stopped, error, sentence: describeStartError(error, config) };
}

it('starts again when PostgreSQL restarts meanwhile, once everything of the first start has ended', async () => {
  const { error, ...result } = await loseDatabase(1);
  expect(result).toMatchObject({ count: 2, stopped: [1, 2] });
  expect(error).toEqual(new Error('The start goes on.'));
});

it('says what is wrong when PostgreSQL goes away again', async () => {
  expect(await loseDatabase(2)).toMatchObject({
    count: 2,
    sentence:
      "Can't reach the database (Connection terminated unexpectedly). Check DATABASE_URL and that PostgreSQL is running.",
  });
});
