import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

function readInstalledVersion(folder: string): string | undefined {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return undefined;
  }
}

/**
 * Puts a package in an exact version (`name@1.2.3`) into `.cache/<place>` and answers its folder.
 * For what stays out of package.json, because most machines have it already.
 */
export function installPackage(spec: string, place: string): string {
  const at = spec.lastIndexOf('@');
  const cache = join(root, '.cache', place);
  const folder = join(cache, 'node_modules', spec.slice(0, at));
  if (readInstalledVersion(folder) === spec.slice(at + 1)) return folder;
  console.log(`Installing ${spec} into .cache/${place} …`);
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-package-lock', '--no-save', '--ignore-scripts', spec];
  // On Windows npm is a script, which only a shell can run.
  execFileSync('npm', args, { cwd: cache, stdio: 'inherit', shell: process.platform === 'win32' });
  return folder;
}
