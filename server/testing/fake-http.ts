import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** How another company's server can fail. */
export type Fault =
  | 'down'
  | 'lost'
  | 'slow'
  | 'endless'
  | 'error'
  | 'nonsense'
  | 'surprise'
  | 'refused'
  | 'missing'
  | 'unauthorized'
  | 'forbidden';

export type FakeRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  headers: IncomingMessage['headers'];
};
export type FakeAnswer = { status: number; json: unknown };

export type FakeServer = {
  origin: string;
  /** Every request so far, as method and path. */
  seen: string[];
  /** For everything, or for one method and path only. */
  setFault: (fault: Fault | null, only?: string | RegExp) => void;
  close: () => Promise<void>;
};

/** Longer than any genuine response. */
const LONG_RESPONSE = 5 * 1024 * 1024;

const send = (response: ServerResponse, { status, json }: FakeAnswer) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));

/** With `lost` the request was executed; with `slow` there is no response, so the client times out. */
function misbehave(fault: Fault, response: ServerResponse, refusal: FakeAnswer) {
  if (fault === 'down' || fault === 'lost') response.destroy();
  if (fault === 'endless') response.writeHead(200).end(Buffer.alloc(LONG_RESPONSE, ' '));
  if (fault === 'error') response.writeHead(502).end('<h1>Bad gateway</h1>');
  if (fault === 'nonsense') response.writeHead(200).end('<html>Welcome</html>');
  if (fault === 'surprise') send(response, { status: 200, json: { status: true, data: 'hello' } });
  if (fault === 'refused') send(response, refusal);
  // As if there was no such address.
  if (fault === 'missing') send(response, { status: 404, json: { message: 'Not found' } });
  // As if our key was wrong, or may not do this.
  if (fault === 'unauthorized') send(response, { ...refusal, status: 401 });
  if (fault === 'forbidden') send(response, { ...refusal, status: 403 });
}

/** Another company's HTTP server on the loopback address. */
export async function startFakeServer(options: {
  refusal: FakeAnswer;
  answer: (request: FakeRequest) => FakeAnswer;
  /** What its answers are dated by. */
  clock: { now: () => number };
}): Promise<FakeServer> {
  let fault: Fault | null = null;
  let faultOnly: string | RegExp | undefined;
  const seen: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://fake');
      const method = request.method ?? 'GET';
      const line = `${method} ${url.pathname}`;
      seen.push(line);
      response.setHeader('date', new Date(options.clock.now()).toUTCString());
      const { pathname: path, searchParams: query } = url;
      const isFaulty =
        faultOnly instanceof RegExp ? faultOnly.test(line) : (faultOnly ?? line) === line;
      const answer = () => options.answer({ method, path, query, body, headers: request.headers });
      if (!fault || !isFaulty) return send(response, answer());
      if (fault === 'lost') answer();
      return misbehave(fault, response, options.refusal);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    setFault: (next, only) => {
      fault = next;
      faultOnly = only;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
