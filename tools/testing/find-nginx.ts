import { findProgram } from './find-program.ts';

export type NginxPrograms = {
  nginx: string;
  /** Makes a certificate. */
  openssl: string;
};

/** No npm package has nginx, so its tests run only where the machine has one. */
export function findNginxPrograms(): NginxPrograms | undefined {
  const nginx = findProgram('nginx');
  const openssl = findProgram('openssl');
  return nginx && openssl ? { nginx, openssl } : undefined;
}

export function getNginxPrograms(): NginxPrograms {
  const programs = findNginxPrograms();
  if (!programs) throw new Error(NO_NGINX);
  return programs;
}

export const NO_NGINX =
  'This machine has no nginx or no openssl, which the tests of deploy/nginx.conf need. Install them (Debian: apt-get install nginx-light openssl).';
