import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

const SOURCES = ['contract', 'server', 'web', 'demo', 'tools', 'bench', 'e2e'];
const files = globSync([`{${SOURCES.join(',')}}/**/*.{ts,tsx,mjs,css}`, '*.config.ts'], {
  cwd: root,
});
const isTest = (file: string): boolean =>
  /\.(test|spec)\.|\/testing\/|^(e2e|bench)\/|^tools\/(test|contrast|lint|fuzz|chaos)|^(vitest|playwright)\.config/.test(
    file,
  );

/** `@scope/name/file` → `@scope/name`. */
const toPackage = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const SPECIFIER = /\b(?:from|import|resolve)\b\s*\(?\s*['"]([^'".#][^'"]*)['"]/g;
const importsOf = (file: string): string[] =>
  [...read(file).matchAll(SPECIFIER)].map(([, specifier = '']) => toPackage(specifier));

test('npm ci --omit=dev installs everything the app imports', () => {
  const imported = files.filter((file) => !isTest(file)).flatMap(importsOf);
  const missing = imported.filter((name) => name in devDependencies);
  expect([...new Set(missing)]).toEqual([]);
});

test('every dependency is imported somewhere', () => {
  const code = files
    .filter((file) => !isTest(file))
    .map(read)
    .join('\n');
  const isUsed = (name: string): boolean => new RegExp(`['"]${name}(?:/[^'"]*)?['"]`).test(code);
  const unused = Object.keys(dependencies).filter((name) => !isUsed(name));
  expect(unused).toEqual([]);
});
