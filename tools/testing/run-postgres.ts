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
 * Run as `node run-postgres.ts <folder with the programs> <where its files go> [durable]`. Prints the address of a temporary
 * cluster and runs it until standard input closes. A line of input says what to do with it: `restart`,
 * `freeze` or `thaw`. It says when that is done.
 */
type User = { uid: number; gid: number };
const isDurable = process.argv[4] === 'durable';
const STARTS = 3;
/** The path of a socket, with its name, can have only about 104 characters. */
const MAX_FOLDER_LENGTH = 80;

/** Tests run many short queries, which take a fifth less time through a Unix socket. */
const hasSocket = (folder: string): boolean =>
  process.platform !== 'win32' && folder.length <= MAX_FOLDER_LENGTH;

/** PostgreSQL refuses to run as root. */
function findUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = accounts.map((line) => line.split(':')).find((line) => line[0] === name);
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('PostgreSQL can’t run as root, and there is no user "postgres" or "nobody".');
}

function isOpenToOthers(path: string): boolean {
  if ((statSync(path).mode & 0o001) === 0) return false;
  return dirname(path) === path || isOpenToOthers(dirname(path));
}

/** Copies programs that only root can access to where the other user can run them. */
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

/** Resolves to null if the server exits before it is ready, for example because the port is in use. */
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
    // Most data is temporary, so there is no need to wait for the disk.
    ...(!isDurable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    // Nothing replicates it, and it fits in memory.
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: '4GB',
    checkpoint_timeout: '1h',
    // Compiling a query takes longer than running it on the few rows of a test.
    jit: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', join(folder, 'data'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
    ...user,
  });
  const output: string[] = [];
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => {
      console.error(output.join('\n'));
      resolve(null);
    });
    createInterface({ input: server.stderr }).on('line', (line) => {
      if (output.length < 50) output.push(line);
      if (!line.includes('database system is ready to accept connections')) return;
      server.removeAllListeners('exit');
      resolve(server);
    });
  });
}

function send(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** To every process of the server: no new one can start once the first is stopped. */
function signalAll({ pid = 0 }: ChildProcess, signal: 'SIGSTOP' | 'SIGCONT'): void {
  send(pid, signal);
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  for (const line of stdout.trim().split('\n')) {
    const [child, parent] = line.trim().split(/ +/).map(Number);
    if (child && parent === pid) send(child, signal);
  }
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  // Stopped processes get no other signal.
  signalAll(server, 'SIGCONT');
  // An immediate shutdown: the files are deleted anyway, and it must not wait for connections.
  server.kill('SIGQUIT');
  await exited;
}

/** Does what each line of input says. A server that ended by itself can be started again. */
async function runUntilClosed(
  first: ChildProcess,
  start: () => Promise<ChildProcess | null>,
  closed: Promise<unknown>,
): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  let server: ChildProcess | null = first;
  while (server) {
    const line = once(lines, 'line').then(([text]) => String(text));
    const next: unknown = await Promise.race([line, closed]);
    if (next === 'freeze' || next === 'thaw') {
      signalAll(server, next === 'freeze' ? 'SIGSTOP' : 'SIGCONT');
    } else {
      await stopServer(server);
      server = next === 'restart' ? await start() : null;
    }
    if (server) console.log('done');
  }
  lines.close();
}

async function runCluster(programs: string, place: string): Promise<void> {
  const closed = Promise.race([
    once(process.stdin.resume(), 'close'),
    once(process, 'SIGTERM'),
    once(process, 'SIGINT'),
  ]);
  const folder = mkdtempSync(join(place, 'test-postgres-'));
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
      await runUntilClosed(server, () => startServer(placed, folder, port, user), closed);
      return;
    }
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await runCluster(process.argv[2] ?? '', process.argv[3] ?? tmpdir());
// Standard input may still be open if the server exited on its own.
process.exit();
