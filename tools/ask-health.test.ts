import { execFile } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function listen(onRequest: RequestListener): Promise<number> {
  const server = createServer(onRequest);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** The exit code of a health check. */
const ask = (port: number) =>
  new Promise<number | null>((resolve) => {
    const program = join(import.meta.dirname, 'ask-health.mjs');
    const child = execFile(process.execPath, [program], { env: { PORT: String(port) } });
    child.once('exit', resolve);
  });

it('is content with a site that answers', async () => {
  const asked: string[] = [];
  const port = await listen(({ url = '' }, response) => {
    asked.push(url);
    response.end('ok');
  });
  expect(await ask(port)).toBe(0);
  expect(asked).toEqual(['/healthz']);
});

it('fails with a site that says no', async () => {
  expect(await ask(await listen((_, response) => response.writeHead(503).end()))).toBe(1);
});

it('fails without a site', async () => {
  const port = await listen(() => undefined);
  servers[0]?.close();
  expect(await ask(port)).toBe(1);
});

it('ends by itself with a site that stands still', { timeout: 30_000 }, async () => {
  expect(await ask(await listen(() => undefined))).toBe(1);
});
