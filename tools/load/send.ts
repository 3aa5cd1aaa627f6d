import { readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as requestSecurely } from 'node:https';
import type { Entrance } from './start-site.ts';

const TIMEOUT_MS = 60_000;

export type Ask = {
  path: string;
  method?: 'POST';
  headers?: Record<string, string>;
  body?: string;
};
export type Answer = {
  status: number;
  /** The body as it was sent, of pages and answers of the API. */
  bytes: Buffer;
  encoding: string | undefined;
  cookies: string[];
  /** How long a server that refused asks to wait. */
  retryAfterMs: number | undefined;
};

export type Connections = Agent;

/** How people reach the site. Several connections at most, each of which stays open. */
export function createEntrance({ port, caFile }: Entrance) {
  const ca = caFile === undefined ? undefined : readFileSync(caFile);
  const send = ca ? requestSecurely : request;
  const address = { host: '127.0.0.1', port, ...(ca && { ca }) };

  return {
    connect: (maxSockets = 1): Connections => {
      const options = { keepAlive: true, maxSockets, maxFreeSockets: 1 };
      return ca ? new SecureAgent(options) : new Agent(options);
    },

    /** Without an agent, on a connection of its own. */
    ask: (agent: Connections | false, { path, method, headers = {}, body }: Ask) =>
      new Promise<Answer>((resolve, reject) => {
        const sent = send(
          { ...address, agent, path, method: method ?? 'GET', headers },
          (response: IncomingMessage) => {
            const parts: Buffer[] = [];
            const isKept = /html|json/.test(response.headers['content-type'] ?? '');
            response.on('data', (part: Buffer) => isKept && parts.push(part));
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                bytes: Buffer.concat(parts),
                encoding: response.headers['content-encoding'],
                cookies: (response.headers['set-cookie'] ?? []).map(
                  (line) => line.split(';')[0] ?? '',
                ),
                retryAfterMs: Number(response.headers['retry-after']) * 1000 || undefined,
              }),
            );
            response.on('error', reject);
          },
        );
        sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('no answer within 60 s')));
        sent.on('error', reject);
        sent.end(body);
      }),

    /** Opens a stream of events, which stays open until the agent is destroyed. */
    listen: (agent: Connections, { path, headers = {} }: Ask) =>
      new Promise<number>((resolve, reject) => {
        const sent = send({ ...address, agent, path, headers }, (response) => {
          response.resume().on('error', () => undefined);
          resolve(response.statusCode ?? 0);
        });
        sent.on('error', reject);
        sent.end();
      }),
  };
}

export type SiteEntrance = ReturnType<typeof createEntrance>;
