import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export async function hashFile(
  path: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const options = { highWaterMark: 1024 * 1024, ...(signal && { signal }) };
  for await (const chunk of createReadStream(path, options)) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { size, sha256: hash.digest('hex') };
}
