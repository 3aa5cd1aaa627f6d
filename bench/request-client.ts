import { connect } from 'node:net';

/**
 * Sends requests over keep-alive connections, each as soon as the one before it is answered, and
 * counts the answers. It reads no more of an answer than its status and length, so that it costs less
 * than a server.
 */
export type RequestTask = {
  port: number;
  /** Each connection goes round these. */
  paths: string[];
  headers: string[];
  /** Each connection is another member. Empty for visitors. */
  cookies: string[];
  connections: number;
  seconds: number;
};

export type RequestResult = {
  requestsPerSecond: number;
  /** The share of a core that the client used. At 1 it limits the server. */
  clientLoad: number;
};

const END_OF_HEADERS = Buffer.from('\r\n\r\n');
const NOTHING: Buffer = Buffer.alloc(0);

function readLength(head: string): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200 ') || length === undefined)
    throw new Error(`An unexpected answer came: ${head.slice(0, 300)}`);
  return Number(length);
}

function runConnection(
  port: number,
  requests: readonly Buffer[],
  first: number,
  deadline: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0;
    let missing = 0;
    let head = NOTHING;
    const ask = () => {
      if (performance.now() >= deadline) socket.destroy();
      else socket.write(requests[(first + answered) % requests.length] ?? NOTHING);
    };
    const take = (chunk: Buffer) => {
      let received = chunk.length;
      if (missing === 0) {
        head = head === NOTHING ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf(END_OF_HEADERS);
        if (end < 0) {
          // The next read overwrites the buffer.
          head = Buffer.from(head);
          return;
        }
        missing = end + END_OF_HEADERS.length + readLength(head.toString('latin1', 0, end));
        received = head.length;
        head = NOTHING;
      }
      missing -= received;
      if (missing > 0) return;
      answered += 1;
      ask();
    };
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafeSlow(256 * 1024),
        callback: (length, buffer) => {
          try {
            take(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          } catch (error) {
            reject(error);
            socket.destroy();
          }
          return true;
        },
      },
    });
    socket.on('connect', ask).on('error', reject);
    socket.on('close', () => resolve(answered));
  });
}

const { port, paths, headers, cookies, connections, seconds } = JSON.parse(
  process.argv[2] ?? '',
) as RequestTask;
const buildRequests = (connection: number): Buffer[] => {
  const cookie = cookies[connection % cookies.length];
  const lines = [`Host: 127.0.0.1:${port}`, ...headers, ...(cookie ? [`cookie: ${cookie}`] : [])];
  return paths.map((path) => Buffer.from([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')));
};
const started = performance.now();
const counts = await Promise.all(
  Array.from({ length: connections }, (_, i) =>
    runConnection(
      port,
      buildRequests(i),
      Math.floor((i * paths.length) / connections),
      started + seconds * 1000,
    ),
  ),
);
const elapsed = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage();
const result: RequestResult = {
  requestsPerSecond: counts.reduce((sum, count) => sum + count, 0) / elapsed,
  clientLoad: (user + system) / 1e6 / elapsed,
};
process.stdout.write(JSON.stringify(result));
