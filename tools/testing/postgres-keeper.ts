import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from './free-port.ts';

/**
 * A process of its own: `node postgres-keeper.ts <folder with the programs>`. It prints the address
 * of a temporary cluster and keeps it until its standard input closes.
 */
type User = { uid: number; gid: number };
const STARTS = 3;
/** Systems end the path of a socket at 104 characters or a little more; its name is yet to come. */
const LONGEST_FOLDER = 80;

/** Tests ask many short questions: through a socket in the file system an answer costs a fifth less. */
const hasSocket = (folder: string): boolean =>
  process.platform !== 'win32' && folder.length <= LONGEST_FOLDER;

/** PostgreSQL refuses to run as root. */
function findUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = accounts.map((line) => line.split(':')).find((line) => line[0] === name);
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody".');
}

function isOpenToOthers(path: string): boolean {
  if ((statSync(path).mode & 0o001) === 0) return false;
  return dirname(path) === path || isOpenToOthers(dirname(path));
}

/** Programs in a place only root can enter are copied to where the other user can run them. */
function placePrograms(programs: string, folder: string, user: User | undefined): string {
  if (!user || isOpenToOthers(programs)) return programs;
  const copy = join(folder, 'program');
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, basename(programs));
}

function createCluster(
  programs: string,
  folder: string,
  password: string,
  user: User | undefined,
): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const args = ['-D', join(folder, 'data'), '-U', 'test', `--pwfile=${passwordFile}`];
  const more = ['--auth=scram-sha-256', '--encoding=UTF8', '--no-locale', '--no-sync'];
  const done = spawnSync(join(programs, 'initdb'), [...args, ...more], {
    cwd: folder,
    encoding: 'utf8',
    ...user,
  });
  if (done.status !== 0) {
    throw new Error(`initdb failed: ${done.error?.message ?? ''}${done.stdout}${done.stderr}`);
  }
}

/** Resolves to null when the server ended before it was ready, for one because the port was taken. */
async function startServer(
  programs: string,
  folder: string,
  port: number,
  user: User | undefined,
): Promise<ChildProcess | null> {
  const settings = {
    listen_addresses: hasSocket(folder) ? '' : '127.0.0.1',
    port,
    unix_socket_directories: hasSocket(folder) ? folder : '',
    max_connections: 200,
    // Nothing in here outlives the run, so nothing is worth waiting for the disk.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', join(folder, 'data'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
    ...user,
  });
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => {
      console.error(said.join('\n'));
      resolve(null);
    });
    createInterface({ input: server.stderr }).on('line', (line) => {
      if (said.length < 50) said.push(line);
      if (!line.includes('database system is ready to accept connections')) return;
      server.removeAllListeners('exit');
      resolve(server);
    });
  });
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  // Immediate: the files are thrown away, and open connections must not hold it up.
  server.kill('SIGQUIT');
  await exited;
}

async function keep(programs: string): Promise<void> {
  const closed = Promise.race([
    once(process.stdin.resume(), 'close'),
    once(process, 'SIGTERM'),
    once(process, 'SIGINT'),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'test-postgres-'));
  try {
    const user = findUser();
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    if (user)
      for (const path of [folder, join(folder, 'data')]) chownSync(path, user.uid, user.gid);
    const placed = placePrograms(programs, folder, user);
    const password = randomBytes(16).toString('hex');
    createCluster(placed, folder, password, user);
    for (let start = 1; start <= STARTS; start += 1) {
      const port = await findFreePort();
      const server = await startServer(placed, folder, port, user);
      if (!server) continue;
      const socket = hasSocket(folder) ? `?host=${encodeURIComponent(folder)}` : '';
      console.log(`postgres://test:${password}@127.0.0.1:${port}/postgres${socket}`);
      await Promise.race([closed, once(server, 'exit')]);
      await stopServer(server);
      return;
    }
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await keep(process.argv[2] ?? '');
// Standard input may still be open when the server ended by itself.
process.exit();
