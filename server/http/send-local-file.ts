import { once } from 'node:events';
import { closeSync, fstatSync, openSync, read } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { FastifyReply } from 'fastify';

const KB = 1024;
/** Reading happens on another thread, so few large pieces are quicker than many small ones. */
const LARGE_PIECE = 1024 * KB;
/** A piece stays in memory until the connection takes it, so a slow or paused one gets small pieces. */
const SMALL_PIECE = 64 * KB;
const SLOW_MS = 100;

export type ByteRange = { start: number; /** The last byte, included. */ end: number };

/** Filling a buffer that was used before takes half as long as filling a fresh one. */
const freeBuffers: Buffer[] = [];
const MAX_FREE_BUFFERS = 16;

const takeBuffer = (size: number): Buffer =>
  size > SMALL_PIECE
    ? (freeBuffers.pop() ?? Buffer.allocUnsafeSlow(LARGE_PIECE))
    : Buffer.allocUnsafe(size);

function returnBuffer(buffer: Buffer) {
  if (buffer.length === LARGE_PIECE && freeBuffers.length < MAX_FREE_BUFFERS)
    freeBuffers.push(buffer);
}

const readInto = promisify(read);

const TOO_SHORT = 'The file is shorter than it was when it was stored.';

/** Resolves once the connection has taken the bytes, so that the buffer can be used again. */
const write = (response: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

async function sendPieces(
  file: number,
  { start, end }: ByteRange,
  response: ServerResponse,
  closed: Promise<never>,
) {
  let largest = LARGE_PIECE;
  for (let position = start; position <= end;) {
    const size = Math.min(largest, end - position + 1);
    const buffer = takeBuffer(size);
    const { bytesRead } = await readInto(file, buffer, 0, size, position);
    if (bytesRead === 0) throw new Error(TOO_SHORT);
    const startedAt = performance.now();
    // If this fails, the bytes may still be on their way: the buffer isn't used again.
    await Promise.race([write(response, buffer.subarray(0, bytesRead)), closed]);
    returnBuffer(buffer);
    largest = performance.now() - startedAt > SLOW_MS ? SMALL_PIECE : LARGE_PIECE;
    position += bytesRead;
  }
  response.end();
}

/** Rejects when the connection closes: Node never calls back a write that waits behind another answer. */
function watchClose({ socket }: FastifyReply['request']['raw']) {
  const controller = new AbortController();
  const closed = once(socket, 'close', { signal: controller.signal }).then(() => {
    throw new Error('The connection closed.');
  });
  closed.catch(() => undefined);
  return { closed, unwatch: () => controller.abort() };
}

/**
 * Sends a range of a local file. The reply has its status and headers already. Throws before it
 * sends anything if the file is missing or too short.
 */
export async function sendLocalFile(reply: FastifyReply, path: string, range: ByteRange) {
  // Opening and closing take less time than a trip to another thread.
  const file = openSync(path, 'r');
  const { raw: response, request } = reply;
  const { closed, unwatch } = watchClose(request.raw);
  try {
    if (fstatSync(file).size <= range.end) throw new Error(TOO_SHORT);
    reply.hijack();
    response.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
    await sendPieces(file, range, response, closed);
  } catch (error) {
    if (!response.headersSent) throw error;
    if (!request.socket.destroyed)
      reply.log.error({ reqId: request.id, err: error }, 'Sending a file failed.');
    // The client expects the promised length; closing the connection tells it that bytes are missing.
    response.destroy();
  } finally {
    unwatch();
    closeSync(file);
  }
}
