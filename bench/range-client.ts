import { connect } from 'node:net';

/**
 * Requests random ranges over keep-alive connections and counts the bytes. It reads into one buffer
 * per connection and copies only the first piece of an answer, which has the headers.
 */
export type RangeClientTask = {
  port: number;
  path: string;
  cookie: string;
  fileSize: number;
  rangeSize: number;
  connections: number;
  seconds: number;
};

export type RangeClientResult = { megabytesPerSecond: number; ranges: number };

const END_OF_HEADERS = Buffer.from('\r\n\r\n');

function readHeaders(text: string, task: RangeClientTask) {
  const [status = ''] = text.split('\r\n', 1);
  const length = Number(/^content-length: (\d+)$/im.exec(text)?.[1]);
  if (!status.startsWith('HTTP/1.1 206') || length !== task.rangeSize)
    throw new Error(`Instead of a range came: ${text.slice(0, 300)}`);
}

function runConnection(task: RangeClientTask, deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = 0;
    let missing = 0;
    let head = Buffer.alloc(0);
    const take = (length: number, buffer: Uint8Array): boolean => {
      let chunk = Buffer.from(buffer.buffer, buffer.byteOffset, length);
      if (missing === 0) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf(END_OF_HEADERS);
        if (end < 0) return true;
        readHeaders(head.subarray(0, end).toString('latin1'), task);
        chunk = head.subarray(end + END_OF_HEADERS.length);
        head = Buffer.alloc(0);
        missing = task.rangeSize;
      }
      missing -= chunk.length;
      received += chunk.length;
      if (missing === 0) ask();
      return true;
    };
    const socket = connect({
      port: task.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafeSlow(256 * 1024),
        callback: (length, buffer) => {
          try {
            return take(length, buffer);
          } catch (error) {
            reject(error);
            socket.destroy();
            return false;
          }
        },
      },
    });
    const ask = () => {
      if (performance.now() >= deadline) return socket.destroy();
      const start = Math.floor(Math.random() * (task.fileSize - task.rangeSize));
      return socket.write(
        `GET ${task.path} HTTP/1.1\r\nHost: 127.0.0.1:${task.port}\r\nCookie: ${task.cookie}\r\n` +
          `Range: bytes=${start}-${start + task.rangeSize - 1}\r\n\r\n`,
      );
    };
    socket.on('connect', ask).on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

const task = JSON.parse(process.argv[2] ?? '') as RangeClientTask;
const started = performance.now();
const deadline = started + task.seconds * 1000;
const counts = await Promise.all(
  Array.from({ length: task.connections }, () => runConnection(task, deadline)),
);
const seconds = (performance.now() - started) / 1000;
const bytes = counts.reduce((sum, count) => sum + count, 0);
const result: RangeClientResult = {
  megabytesPerSecond: bytes / 1e6 / seconds,
  ranges: bytes / task.rangeSize,
};
process.stdout.write(JSON.stringify(result));
