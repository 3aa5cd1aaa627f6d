import { open, type FileHandle } from 'node:fs/promises';

/** More than any program writes. */
const MAX_CHUNKS = 200;

async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Where the ID3 tag of a WAV begins, usually after its audio; null if it has none. */
export async function findId3Chunk(file: string): Promise<number | null> {
  const handle = await open(file);
  try {
    let at = 12;
    /** In a WAV above 4 GB, which has no room for it in the header of the audio. */
    let audioSize = 0;
    for (let count = 0; count < MAX_CHUNKS; count += 1) {
      const head = await readBytes(handle, at, 24);
      if (head.length < 11) return null;
      const name = head.toString('latin1', 0, 4);
      const size = head.readUInt32LE(4);
      if (name.toLowerCase() === 'id3 ')
        return head.toString('latin1', 8, 11) === 'ID3' ? at + 8 : null;
      if (name === 'ds64' && head.length === 24) audioSize = Number(head.readBigUInt64LE(16));
      const length = name === 'data' && size === 0xffffffff ? audioSize : size;
      at += 8 + length + (length % 2);
      if (!Number.isSafeInteger(at)) return null;
    }
    return null;
  } finally {
    await handle.close();
  }
}
