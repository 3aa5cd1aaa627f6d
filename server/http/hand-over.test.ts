import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sendRaw } from '../testing/raw-request.ts';
import { canHandOver, handOver } from './hand-over.ts';

const bytes = randomBytes(100_000);
const isLinux = process.platform === 'linux';

it('lets the system send a part of a file, where there is such a system', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'test-hand-over-'));
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  const fd = openSync(path, 'r');
  const taken: number[] = [];
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': 50_000 }).flushHeaders();
    taken.push(canHandOver(response) ? handOver(response, fd, 20_000, 50_000) : 0);
    if (taken[0] === 50_000) response.end();
    else response.end(bytes.subarray(20_000, 70_000));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { body } = await sendRaw({ port, path: '/' });
  expect(taken).toEqual([isLinux ? 50_000 : 0]);
  expect(body.equals(bytes.subarray(20_000, 70_000))).toBe(true);
  server.close();
  closeSync(fd);
  await rm(folder, { recursive: true });
});

it('hands nothing over while something written earlier waits, or to no connection at all', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': 30_000_000 });
    response.write(Buffer.alloc(30_000_000));
    expect(canHandOver(response)).toBe(false);
    expect(handOver(response, 0, 0, 10)).toBe(0);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { body } = await sendRaw({ port, path: '/' });
  expect(body).toHaveLength(30_000_000);
  server.close();
  expect(canHandOver(new ServerResponse({ method: 'GET' } as never))).toBe(false);
});
