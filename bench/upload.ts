import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm, statfs } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UPLOAD_PATH } from '#contract/uploads.ts';
import { findFreePort } from '../tools/free-port.ts';
import { NODE_FLAGS } from '../tools/run-node.ts';

/** A file through the server, in the parts that the web app sends, against a plain copy of it. */
const MB = 1024 ** 2;
const SIZE = Number(process.argv[2] ?? 1024) * MB;
const ROUNDS = Number(process.argv[3] ?? 3);
const PART = 8 * MB;
const BLOCK = MB;

const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'bench-upload-'));
const source = join(folder, 'master.wav');

/** The head of a WAV and noise: the server looks at the first bytes. */
async function writeSource() {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < SIZE * 6) throw new Error('The disk has no room for this benchmark.');
  const file = await open(source, 'w');
  const block = randomBytes(BLOCK);
  for (let written = 0; written < SIZE; written += BLOCK) {
    if (written === 0) {
      block.write('RIFF', 0);
      block.writeUInt32LE(SIZE - 8, 4);
      block.write('WAVEfmt ', 8);
    }
    await file.write(block);
  }
  await file.close();
}

async function copy(): Promise<number> {
  const target = join(folder, 'copy');
  const start = performance.now();
  const [from, to] = [await open(source, 'r'), await open(target, 'w')];
  const buffer = Buffer.alloc(BLOCK);
  for (let at = 0; at < SIZE; at += BLOCK) {
    const { bytesRead } = await from.read(buffer, 0, BLOCK, at);
    await to.write(buffer, 0, bytesRead, at);
  }
  await to.sync();
  const ms = performance.now() - start;
  await from.close();
  await to.close();
  await rm(target);
  return ms;
}

type Answer = { status: number; headers: NodeJS.Dict<string | string[]> };

function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(body.length) } : {};
    const call = request(
      { port, host: '127.0.0.1', method, path, headers: { ...headers, ...length } },
      (answer) => {
        answer.resume();
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers }),
        );
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

async function upload(port: number, cookie: string): Promise<number> {
  const tus = { 'tus-resumable': '1.0.0', cookie };
  const start = performance.now();
  const created = await send(port, 'POST', UPLOAD_PATH, {
    ...tus,
    'upload-length': String(SIZE),
    'upload-metadata': `filename ${Buffer.from('master.wav').toString('base64')}`,
  });
  const url = String(created.headers.location);
  const file = await open(source, 'r');
  const part = Buffer.alloc(PART);
  for (let at = 0; at < SIZE; at += PART) {
    const { bytesRead } = await file.read(part, 0, PART, at);
    const { status } = await send(
      port,
      'PATCH',
      url,
      { ...tus, 'upload-offset': String(at), 'content-type': 'application/offset+octet-stream' },
      part.subarray(0, bytesRead),
    );
    if (status !== 204) throw new Error(`A part was answered with ${status}.`);
  }
  const ms = performance.now() - start;
  await file.close();
  return ms;
}

const port = await findFreePort();
const { PATH, HOME } = process.env;
const server = spawn(process.execPath, [...NODE_FLAGS, 'server/main.ts'], {
  env: {
    PATH,
    HOME,
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    DEMO_MIXES: '0',
    // What is made of a file afterwards is another benchmark.
    WORKER: 'off',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await once(server.stdout, 'data');
  const login = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'weekender-demo' }),
  });
  const cookie = login.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  await writeSource();
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [copied, sent] = [await copy(), await upload(port, cookie)];
    ratios.push(copied / sent);
    const speed = (ms: number) => `${Math.round(SIZE / MB / (ms / 1000))} MB/s`;
    console.log(
      `copy ${speed(copied)}, upload ${speed(sent)}, ratio ${(copied / sent).toFixed(2)}`,
    );
    await rm(join(folder, 'data', 'uploads'), { recursive: true });
    await mkdir(join(folder, 'data', 'uploads'));
  }
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '');
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
  console.log(`median ratio ${median.toFixed(2)}, server memory at most ${Math.round(peak)} MB`);
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  await rm(folder, { recursive: true, force: true });
}
