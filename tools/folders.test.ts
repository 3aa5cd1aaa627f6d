import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const MAX_FILES_IN_A_FOLDER = 25;
const MAX_FILES_IN_A_BILLING_FOLDER = 10;
const MAX_LINES = 350;

const root = join(import.meta.dirname, '..');
const files = globSync('{contract,server,web,demo,tools,bench}/**/*.{ts,tsx,mjs}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.(test|spec)\.|\/testing\//.test(file));

function findLargeFolders(within: string, limit: number): string[] {
  const folders = Map.groupBy(
    files.filter((file) => file.startsWith(within)),
    (file) => dirname(file),
  );
  return [...folders].flatMap(([folder, { length }]) =>
    // Migrations are only ever added, and numbered.
    length > limit && folder !== 'server/db/migrations' ? `${folder}: ${length} files` : [],
  );
}

test('no folder has too many files to find one', () => {
  expect(findLargeFolders('', MAX_FILES_IN_A_FOLDER)).toEqual([]);
  expect(findLargeFolders('server/features/billing/', MAX_FILES_IN_A_BILLING_FOLDER)).toEqual([]);
});

test('no file is too long to read', () => {
  const lengths = files.map((file) => ({
    file,
    lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1,
  }));
  expect(lengths.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
});
