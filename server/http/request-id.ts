import { randomFillSync } from 'node:crypto';

const BYTES = 9;
const pool = Buffer.alloc(BYTES * 512);
let used = pool.length;

/** 72 random bits as text; they are fetched many at a time, because every request takes some. */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES;
  return pool.toString('base64url', used - BYTES, used);
}
