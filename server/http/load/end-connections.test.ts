import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeConnectionsOnShutdown } from './end-connections.ts';

let app: FastifyInstance;
let port: number;
let asked: Promise<void>;
let answer: () => void;
/** Long enough for a slow machine, and far below what either kind of connection would be waited for. */
const LIMIT_MS = 20_000;

beforeEach(async () => {
  app = Fastify({ keepAliveTimeout: 60_000 });
  closeConnectionsOnShutdown(app);
  const asking = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<void>();
  asked = asking.promise;
  answer = answering.resolve;
  app.get('/', async () => {
    asking.resolve();
    await answering.promise;
    return 'answered';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});
afterEach(() => app.close());

it(
  'closes a connection that was never used',
  async () => {
    const accepted = once(app.server, 'connection');
    const silent = connect(port, '127.0.0.1');
    await accepted;
    await Promise.all([app.close(), once(silent.resume(), 'close')]);
    expect(app.server.listening).toBe(false);
  },
  LIMIT_MS,
);

it(
  'answers a pending request, then closes its connection',
  async () => {
    const agent = new Agent({ keepAlive: true, timeout: 60_000 });
    const arriving = once(get({ host: '127.0.0.1', port, agent }), 'response');
    await asked;
    const closed = app.close();
    answer();
    const [response] = (await arriving) as [IncomingMessage];
    expect(await text(response)).toBe('answered');
    await closed;
    agent.destroy();
  },
  LIMIT_MS,
);

it(
  'doesn’t wait for a client that doesn’t read its answer',
  async () => {
    const other = Fastify();
    closeConnectionsOnShutdown(other, 0);
    other.get('/', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-length': '2' }).write('1');
    });
    await other.listen({ port: 0, host: '127.0.0.1' });
    const sent = get({ host: '127.0.0.1', port: (other.server.address() as AddressInfo).port });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const broken = once(response, 'error');
    await other.close();
    response.resume();
    expect(await broken).toMatchObject([{ code: 'ECONNRESET' }]);
  },
  LIMIT_MS,
);
