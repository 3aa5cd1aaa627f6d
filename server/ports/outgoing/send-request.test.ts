import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';
import { findAddressProblem, ForbiddenAddressError, sendRequest } from './send-request.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('an address', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.1.5',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fd12:3456::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001:db8::1',
  ])('isn’t public: %s', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'is public: %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['http://music.example', 'must start with https://'],
    ['ftp://music.example', 'starts with https://'],
    ['music.example', 'starts with https://'],
    ['https://me:secret@music.example', 'without a user name'],
    ['https://127.0.0.1', 'private network'],
    ['https://[::1]:8080', 'private network'],
    ['https://2130706433', 'private network'],
    ['https://0x7f.1', 'private network'],
    ['https://[::ffff:10.0.0.1]', 'private network'],
  ])('is refused with a reason: %s', (url, reason) =>
    expect(findAddressProblem(url, false)).toContain(reason),
  );

  it('may be private and unencrypted where the operator allows it', () => {
    expect(findAddressProblem('http://192.168.1.5:42010', true)).toBeNull();
    expect(findAddressProblem('https://music.example', false)).toBeNull();
  });
});

describe('a request', () => {
  const ask = (url: string, allowsPrivate: boolean) =>
    sendRequest({ method: 'GET', url, timeoutMs: 5000, allowsPrivate });

  it('doesn’t reach a name that leads into this machine', async () => {
    const asked: unknown[] = [];
    const port = await listen(createServer((request) => asked.push(request.url)));
    await expect(ask(`https://localhost:${port}/`, false)).rejects.toBeInstanceOf(
      ForbiddenAddressError,
    );
    expect(asked).toEqual([]);
  });

  it('doesn’t follow a redirect', async () => {
    const port = await listen(
      createServer((_request, response) => {
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      }),
    );
    expect((await ask(`http://127.0.0.1:${port}/`, true)).status).toBe(302);
  });

  it('ends with an answer that has no end', async () => {
    const port = await listen(
      createServer((_request, response) => void response.end(Buffer.alloc(1024 * 1024))),
    );
    await expect(ask(`http://127.0.0.1:${port}/`, true)).rejects.toThrow('too long');
  });
});
