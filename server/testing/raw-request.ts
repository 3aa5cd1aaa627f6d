import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type RawRequest = {
  port: number;
  path: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  /** Whose connections are used; without one, a new one is opened as for any request of Node. */
  agent?: Agent;
};
export type RawResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** A request whose path goes over the wire exactly as it is written; browsers tidy it up first. */
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
