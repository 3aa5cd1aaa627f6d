import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type Koffi from 'koffi';

/** As `sendfile(2)`: how many bytes the connection took, or below zero. */
type SendFile = (socket: number, file: number, offset: Buffer, length: number) => number | bigint;

/**
 * Null where the system has no such call, or where the package that reaches it could not be
 * installed: what is sent then passes through this process, as everywhere.
 */
function loadSendFile(): SendFile | null {
  if (process.platform !== 'linux') return null;
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
    const system = koffi.load(null);
    return system.func('int64_t sendfile(int, int, void *, uint64_t)');
  } catch {
    return null;
  }
}

let known: SendFile | null | undefined;
const sendFile = (): SendFile | null => (known ??= loadSendFile());

const offset = Buffer.alloc(8);

type Handle = { fd?: number; writeQueueSize?: number };

/** The connection's number in the system; null while something written earlier must leave first. */
function findConnection({ socket }: ServerResponse): number | null {
  // An answer that waits behind another has no connection yet.
  if (!socket || socket.destroyed || socket.writableLength > 0) return null;
  const { _handle: handle } = socket as { _handle?: Handle | null };
  if (!handle?.fd || handle.fd < 0 || handle.writeQueueSize !== 0) return null;
  return handle.fd;
}

/** Whether this answer's bytes may go from the file to the connection without passing through here. */
export const canHandOver = (response: ServerResponse): boolean =>
  findConnection(response) !== null && sendFile() !== null;

/**
 * Has the system itself send a part of an open file as far as the connection takes it at once.
 * Answers how many bytes that were: at 0 the ordinary way waits, or finds out what is wrong.
 */
export function handOver(
  response: ServerResponse,
  file: number,
  start: number,
  length: number,
): number {
  const connection = findConnection(response);
  if (connection === null) return 0;
  offset.writeBigInt64LE(BigInt(start));
  return Math.max(0, Number(sendFile()?.(connection, file, offset, length) ?? 0));
}
