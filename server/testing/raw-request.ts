import { request, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type RawRequest = {
  port: number;
  path: string;
  method?: string;
  headers?: Record<string, string | string[]>;
};
export type RawResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** A request whose path goes over the wire exactly as it is written; browsers tidy it up first. */
export const sendRaw = ({ port, path, method = 'GET', headers = {} }: RawRequest) =>
  new Promise<RawResponse>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    sent.on('error', reject).end();
  });
