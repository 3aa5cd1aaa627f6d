import { closeSync, openSync, read } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { FastifyReply } from 'fastify';
import type { ByteRange } from '../ports/storage/storage.ts';

const KB = 1024;
/** Each read costs a trip to another thread, so a fast line gets large ones. */
const LARGE_READ = 1024 * KB;
/** What a slow line has not taken yet stays in memory, so it gets small ones. */
const SMALL_READ = 64 * KB;
const SLOW_MS = 100;
const KEPT_BUFFERS = 16;

const readInto = promisify(read);
/** Fresh megabytes cost more than filling them; these are used again. */
const freeBuffers: Buffer[] = [];

const takeBuffer = (size: number): Buffer =>
  size > SMALL_READ
    ? (freeBuffers.pop() ?? Buffer.allocUnsafeSlow(LARGE_READ))
    : Buffer.allocUnsafe(size);

function returnBuffer(buffer: Buffer) {
  if (buffer.length === LARGE_READ && freeBuffers.length < KEPT_BUFFERS) freeBuffers.push(buffer);
}

/** Resolves once the bytes have left this process, so that the buffer may be filled again. */
const write = (response: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

async function copyPart(response: ServerResponse, fd: number, at: number, size: number) {
  const buffer = takeBuffer(size);
  const { bytesRead } = await readInto(fd, buffer, 0, size, at);
  if (bytesRead === 0) throw new Error('The file is shorter than it was when it was stored.');
  // After a failed write the bytes may still be on their way: that buffer is not used again.
  await write(response, buffer.subarray(0, bytesRead));
  returnBuffer(buffer);
  return bytesRead;
}

async function copyRange(response: ServerResponse, fd: number, { start, end }: ByteRange) {
  let largest = LARGE_READ;
  for (let at = start; at <= end && !response.destroyed;) {
    const before = performance.now();
    at += await copyPart(response, fd, at, Math.min(largest, end - at + 1));
    largest = performance.now() - before > SLOW_MS ? SMALL_READ : LARGE_READ;
  }
}

/**
 * Sends a part of a file on this machine's disk, past the framework's streams: a reply that is
 * ready but for its body. Rejects before anything is sent when the file is not there.
 */
export async function sendLocalFile(reply: FastifyReply, path: string, range: ByteRange) {
  // Opening touches the directory only; reading, which may wait for the disk, happens elsewhere.
  const fd = openSync(path, 'r');
  reply.hijack();
  const response = reply.raw;
  try {
    response.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
    await copyRange(response, fd, range);
    response.end();
  } catch (error) {
    // The length was promised already: breaking off is the only way to say that it is not all.
    if (!response.destroyed) reply.log.error({ err: error }, 'sending a file failed');
    response.destroy();
  } finally {
    closeSync(fd);
  }
}
