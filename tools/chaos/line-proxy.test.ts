import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startLineProxy } from './line-proxy.ts';

it('carries bytes, holds them back while frozen, and cuts lines', async () => {
  const server = createServer((socket) => void socket.pipe(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy = await startLineProxy({ host: '127.0.0.1', port });
  const client = connect(proxy.port, '127.0.0.1');
  const received: string[] = [];
  client.on('data', (chunk) => received.push(chunk.toString()));
  client.write('one');
  await once(client, 'data');
  proxy.freeze();
  client.write('two');
  // Past the proxy, bytes come back many times over: through it, these would have come first.
  const direct = connect(port, '127.0.0.1');
  for (const round of Array.from({ length: 20 }, (_, index) => `${index}`)) {
    direct.write(round);
    await once(direct, 'data');
  }
  direct.destroy();
  expect(received).toEqual(['one']);
  proxy.thaw();
  await once(client, 'data');
  expect(received).toEqual(['one', 'two']);
  proxy.cut();
  await once(client, 'close');
  proxy.close();
  server.close();
});
