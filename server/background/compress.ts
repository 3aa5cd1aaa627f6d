import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { createQueue } from './limited-queue.ts';

const gzipNow = promisify(gzip);
const brotliNow = promisify(brotliCompress);

/** Whoever waits here has been let in already, so nobody is refused (see thread-count.ts). */
const compressInTurn = createQueue({ maxRunning: 2, maxWaiting: Infinity, refusal: '' });

/** Shrinks lists of tracks to a sixth; higher levels save only a few more bytes. */
export const COMPRESSION_LEVEL = 5;

export const compressGzip = (body: string | Buffer): Promise<Buffer> =>
  compressInTurn(() => gzipNow(body, { level: COMPRESSION_LEVEL }));

/**
 * With its usual window Brotli takes 17 MB at quality 7, and every thread of the pool keeps that much
 * for the next time. A page is hardly longer than 64 KB, so this one makes it no larger.
 */
const BROTLI_WINDOW_BITS = 16;

export const compressBrotli = (body: string | Buffer, quality: number): Promise<Buffer> =>
  compressInTurn(() =>
    brotliNow(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
      },
    }),
  );

const gunzipNow = promisify(gunzip);
const brotliDecompressNow = promisify(brotliDecompress);

export const decompressGzip = (body: Buffer): Promise<Buffer> =>
  compressInTurn(() => gunzipNow(body));

export const decompressBrotli = (body: Buffer): Promise<Buffer> =>
  compressInTurn(() => brotliDecompressNow(body));

/** For bytes that are kept: short ones are a part of a larger piece of memory, which they would hold. */
export function copyToKeep(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
