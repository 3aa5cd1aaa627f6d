import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type RawRequest = {
  port: number;
  path: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  /** The agent whose connections are used; without one, Node opens a new connection. */
  agent?: Agent;
};
export type RawResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** A request whose path is sent exactly as written; browsers would normalise it. */
export const sendRaw = ({ method = 'GET', ...asked }: RawRequest) =>
  new Promise<RawResponse>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', method, ...asked }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    sent.on('error', reject).end();
  });
