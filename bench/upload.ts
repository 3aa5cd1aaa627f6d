import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UPLOAD_PATH } from '#contract/admin/upload-path.ts';
import { WAV_HEADER_BYTES, buildWavHeader } from '#server/ports/media/wav-header.ts';
import { FIRST_PART_BYTES, nextPartSize } from '#web/admin/uploads/upload-speed.ts';
import { median, startServer, stopProcess } from './bench-server.ts';

/** Uploads a file in the parts that the web app sends, compared with a plain copy. */
const MB = 1024 ** 2;
const SIZE = Number(process.argv[2] ?? 1024) * MB;
const ROUNDS = Number(process.argv[3] ?? 3);
const BLOCK = MB;

const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'bench-upload-'));
const source = join(folder, 'master.wav');

/** A WAV header and noise: the server checks the first bytes. */
async function writeSource() {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < SIZE * 6)
    throw new Error('There is not enough disk space for this benchmark.');
  const file = await open(source, 'w');
  const block = randomBytes(BLOCK);
  for (let written = 0; written < SIZE; written += BLOCK) {
    if (written === 0) block.set(buildWavHeader(SIZE - WAV_HEADER_BYTES, { sampleRate: 44_100 }));
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

type Call = { method: string; path: string; headers: Record<string, string> };

/** Like a browser: reads the body from the file while sending it. */
async function send(port: number, call: Call, body?: Readable): Promise<Answer> {
  const sent = request({ port, host: '127.0.0.1', ...call });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  if (body) await pipeline(body, sent);
  else sent.end();
  const [answer] = await answered;
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode ?? 0, headers: answer.headers };
}

async function upload(port: number, cookie: string): Promise<number> {
  const tus = { 'tus-resumable': '1.0.0', cookie };
  const start = performance.now();
  const created = await send(port, {
    method: 'POST',
    path: UPLOAD_PATH,
    headers: {
      ...tus,
      'upload-length': String(SIZE),
      'upload-metadata': `filename ${Buffer.from('master.wav').toString('base64')}`,
    },
  });
  const path = String(created.headers.location);
  let part = FIRST_PART_BYTES;
  for (let at = 0; at < SIZE;) {
    const end = Math.min(SIZE, at + part);
    const headers = {
      ...tus,
      'upload-offset': String(at),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(end - at),
    };
    const body = createReadStream(source, { start: at, end: end - 1, highWaterMark: BLOCK });
    const { status } = await send(port, { method: 'PATCH', path, headers }, body);
    if (status !== 204) throw new Error(`A part was answered with ${status}.`);
    part = nextPartSize(part, (end * 1000) / (performance.now() - start));
    at = end;
  }
  return performance.now() - start;
}

// Processing the file is another benchmark.
const { port, process: server } = await startServer(join(folder, 'data'), { WORKER: 'off' });
try {
  const login = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'weekender-demo' }),
  });
  const cookie = login.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  await writeSource();
  // Measure from here, without the start.
  await writeFile(`/proc/${server.pid}/clear_refs`, '5').catch(() => undefined);
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
  console.log(
    `median ratio ${median(ratios).toFixed(2)}, server memory at most ${Math.round(peak)} MB`,
  );
} finally {
  await stopProcess(server);
  await rm(folder, { recursive: true, force: true });
}
