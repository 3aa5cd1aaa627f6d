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

const toFolder = (spec: string, folderName: string): string =>
  join(root, '.cache', folderName, 'node_modules', spec.slice(0, spec.lastIndexOf('@')));

/** The folder of a package that an earlier run installed. */
export function findPackage(spec: string, folderName: string): string | undefined {
  const folder = toFolder(spec, folderName);
  const version = spec.slice(spec.lastIndexOf('@') + 1);
  return readInstalledVersion(folder) === version ? folder : undefined;
}

/**
 * Installs an exact version of a package (`name@1.2.3`) into `.cache/<folderName>`; returns its folder.
 * For packages that are not in package.json because most machines don't need them.
 */
export function installPackage(spec: string, folderName: string): string {
  const installed = findPackage(spec, folderName);
  if (installed) return installed;
  const cache = join(root, '.cache', folderName);
  console.log(`Installing ${spec} into .cache/${folderName} …`);
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-package-lock', '--no-save', '--ignore-scripts', spec];
  // On Windows npm is a script, which needs a shell.
  execFileSync('npm', args, { cwd: cache, stdio: 'inherit', shell: process.platform === 'win32' });
  return toFolder(spec, folderName);
}
