import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where packages put programs, which isn't always on the PATH of an ordinary user. */
const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const find = (name: string): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), ...FOLDERS]
    .map((folder) => join(folder, name))
    .find(isProgram);

export type NginxPrograms = {
  nginx: string;
  /** Makes a certificate. */
  openssl: string;
};

/** No npm package has nginx, so its tests run only where the machine has one. */
export function findNginxPrograms(): NginxPrograms | undefined {
  const nginx = find('nginx');
  const openssl = find('openssl');
  return nginx && openssl ? { nginx, openssl } : undefined;
}

export function getNginxPrograms(): NginxPrograms {
  const programs = findNginxPrograms();
  if (!programs) throw new Error(NO_NGINX);
  return programs;
}

export const NO_NGINX =
  'This machine has no nginx or no openssl, which the tests of deploy/nginx.conf need. Install them (Debian: apt-get install nginx-light openssl).';
