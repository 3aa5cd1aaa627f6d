import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findOnSqliteOnly, findTooFew, STATEMENTS, type Statement } from './statements.ts';

const SHOWN = 20;

/** After all tests have run: fails if a statement ran on SQLite only. */
async function readStatements(folder: string): Promise<Statement[]> {
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Statement);
}

if (process.argv.length > 2 || STATEMENTS === undefined) {
  console.log('Not checked, because only some of the tests ran.');
} else {
  const statements = await readStatements(STATEMENTS);
  await rm(STATEMENTS, { recursive: true });
  const tooFew = findTooFew(statements);
  const missing = findOnSqliteOnly(statements);
  for (const { sql, test } of missing.slice(0, SHOWN)) console.error(`${sql}\n  ran in ${test}\n`);
  if (tooFew) {
    console.error(tooFew);
    process.exitCode = 1;
  } else if (missing.length > 0) {
    console.error(
      `${missing.length} statements ran on SQLite only. Mark a test file that runs them with\n` +
        '`/** @module-tag both-databases */`: CONTRIBUTING.md says more.',
    );
    process.exitCode = 1;
  } else {
    console.log(`All of ${statements.length} recorded statements ran on PostgreSQL as well.`);
  }
}
