import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { getNginxPrograms } from './find-nginx.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const CONFIG = join(DEPLOY, 'nginx.conf');
const CDN_CONFIG = join(DEPLOY, 'nginx-cdn.conf');
const START_MS = 20_000;

export type NginxPlaces = {
  /** For its process id and temporary files. */
  folder: string;
  /** Where it listens on the loopback address. */
  httpPort: number;
  httpsPort: number;
  appPorts: readonly [number, number];
  storePort: number;
  /** Without one it speaks plain HTTP at `httpsPort`. */
  certificate?: { file: string; keyFile: string };
  /** The addresses of a proxy in front of it, whose header it believes. */
  outerProxy?: string;
};

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2)
    throw new Error(
      `The file in deploy/ should have "${from}" once, so that tests can replace it.`,
    );
  return text.replace(from, () => to);
}

/** From 1.25.1 on, HTTP/2 is a line of its own. */
function hasHttp2Line(): boolean {
  const { stderr } = spawnSync(getNginxPrograms().nginx, ['-v'], { encoding: 'utf8' });
  const [, minor = 0, patch = 0] = (/nginx\/1\.(\d+)\.(\d+)/.exec(stderr) ?? []).map(Number);
  return minor > 25 || (minor === 25 && patch >= 1);
}

/** The file of the project, with the names and ports of this machine instead of those of containers. */
function placeConfig(places: NginxPlaces): string {
  const { folder, httpPort, httpsPort, appPorts, storePort, certificate, outerProxy } = places;
  const changes: [string, string][] = [
    [`include ${folder}/resolver.conf;`, ''],
    ['app1:3000 resolve', `127.0.0.1:${appPorts[0]}`],
    ['app2:3000 resolve', `127.0.0.1:${appPorts[1]}`],
    ['store:3900 resolve', `127.0.0.1:${storePort}`],
    ['listen 80 default', `listen 127.0.0.1:${httpPort} default`],
    ['listen 443 ssl', `listen 127.0.0.1:${httpsPort}${certificate ? ' ssl' : ''}`],
    ['/etc/nginx/certificates/fullchain.pem', certificate?.file ?? ''],
    ['/etc/nginx/certificates/privkey.pem', certificate?.keyFile ?? ''],
    ['/var/www/acme', join(folder, 'acme')],
  ];
  if (outerProxy)
    changes.push(
      ['# set_real_ip_from 203.0.113.0/24', `set_real_ip_from ${outerProxy}`],
      ['# real_ip_header', 'real_ip_header'],
    );
  let text = readFileSync(CONFIG, 'utf8').replaceAll('/tmp/', `${folder}/`);
  for (const [from, to] of changes) text = replaceOnce(text, from, to);
  if (!certificate) text = text.replaceAll(/^ +ssl_.+\n/gm, '');
  if (!certificate || !hasHttp2Line()) text = replaceOnce(text, 'http2 on;', '');
  return text;
}

export type RunningNginx = {
  /** Reads its configuration again, without ending connections. */
  reload: () => void;
  kill: () => Promise<void>;
};

/** Throws, in the words of nginx, if the configuration has a mistake. */
export function checkConfig(places: NginxPlaces): void {
  const file = join(places.folder, 'nginx.conf');
  writeFileSync(file, placeConfig(places));
  execFileSync(getNginxPrograms().nginx, ['-t', '-q', '-p', places.folder, '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** A certificate for the loopback address, which only tests believe. */
export function makeCertificate(folder: string): { file: string; keyFile: string } {
  const file = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const args = ['req', '-x509', ...key, ...name, '-days', '2', '-keyout', keyFile, '-out', file];
  execFileSync(getNginxPrograms().openssl, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  return { file, keyFile };
}

async function waitForPort(port: number, child: ChildProcess, output: () => string) {
  const start = performance.now();
  while (performance.now() - start < START_MS && child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await setTimeout(20);
  }
  throw new Error(`nginx did not start: ${output()}`);
}

export const startNginx = (places: NginxPlaces): Promise<RunningNginx> =>
  runNginx(placeConfig(places), { folder: places.folder, port: places.httpsPort });

/** `deploy/nginx-cdn.conf` with the ports of this machine, and without TLS. */
function placeCdnConfig({ folder, port, sitePort }: CdnPlaces): string {
  let text = readFileSync(CDN_CONFIG, 'utf8');
  const changes: [string, string][] = [
    ['/var/cache/nginx/audio', join(folder, 'audio')],
    ['listen 443 ssl', `listen 127.0.0.1:${port}`],
    ['proxy_pass https://music.example', `proxy_pass http://127.0.0.1:${sitePort}`],
  ];
  for (const [from, to] of changes) text = replaceOnce(text, from, to);
  text = text.replaceAll(/^ +(?:proxy_)?ssl_.+\n/gm, '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const own = [`pid ${join(folder, 'nginx.pid')};`, 'error_log stderr;', 'events {}'];
  return [...own, 'http {', ...temporary, text, '}'].join('\n');
}

export type CdnPlaces = { folder: string; port: number; sitePort: number };

export const startCdn = (places: CdnPlaces): Promise<RunningNginx> =>
  runNginx(placeCdnConfig(places), places);

async function runNginx(
  config: string,
  { folder, port }: { folder: string; port: number },
): Promise<RunningNginx> {
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, config);
  // Started by root, its workers are another user.
  chmodSync(folder, 0o755);
  const child = spawn(
    getNginxPrograms().nginx,
    ['-p', folder, '-c', file, '-g', 'daemon off;'],
    // A group of its own, so that a kill reaches its workers too.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2000)));
  const exited = once(child, 'exit');
  await waitForPort(port, child, () => output);
  return {
    reload: () => void child.kill('SIGHUP'),
    kill: async () => {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}
