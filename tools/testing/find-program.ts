import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where packages put programs, which isn't always on the PATH of an ordinary user. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    // Folders have the same permission.
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export const findOnPath = (name: string, moreFolders: string[] = []): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), ...moreFolders]
    .map((folder) => join(folder, name))
    .find(isProgram);

/** A program of the machine, wherever its package put it. */
export const findProgram = (name: string): string | undefined => findOnPath(name, MORE_FOLDERS);

type PackageManager = { program: string; prepare?: string[]; install: string[] };

const PACKAGE_MANAGERS: PackageManager[] = [
  {
    program: 'apt-get',
    prepare: ['update'],
    install: ['install', '-y', '--no-install-recommends'],
  },
  { program: 'dnf', install: ['install', '-y'] },
  { program: 'zypper', install: ['--non-interactive', 'install', '--no-recommends'] },
  { program: 'pacman', install: ['-Sy', '--noconfirm'] },
];

/** Installs the first of the packages that the machine's package manager has. Only root may. */
export function installWithPackageManager(packages: string[]): boolean {
  const manager = PACKAGE_MANAGERS.find(({ program }) => findProgram(program));
  if (!manager) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (args: string[]): boolean =>
    spawnSync(manager.program, args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
  return packages.some((name, index) => {
    console.log(`Installing ${name} with ${manager.program}, as root …`);
    if (manager.prepare && index === 0) run(manager.prepare);
    return run([...manager.install, name]);
  });
}
