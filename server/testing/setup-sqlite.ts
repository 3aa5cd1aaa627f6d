import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect } from '../db/connect.ts';
import { migrate } from '../db/schema/migrate.ts';
import type {} from './vitest-context.ts';

/** Migrates one file that every test copies. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'test-template-'));
  const templateFile = join(folder, 'template.sqlite');
  const database = connect({ kind: 'sqlite', file: templateFile }, console);
  await migrate(database, 0);
  // Closing merges the write-ahead log into the file, which is then complete without it.
  await database.close();
  project.provide('testDatabases', { dialect: 'sqlite', templateFile });
  return () => rm(folder, { recursive: true, force: true });
};
