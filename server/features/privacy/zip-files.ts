import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

export type ArchivedFile = {
  name: string;
  content: AsyncIterable<Uint8Array>;
  /** A picture does not get smaller by packing it again. */
  isPacked?: boolean;
};

/** A ZIP archive while it is made: no more of it is held than one part of one file. */
export async function* zipFiles(
  files: AsyncIterable<ArchivedFile>,
  now: number,
): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const take = () => {
    const taken = ready;
    ready = [];
    return taken;
  };
  const zip = new Zip((error, part) => {
    if (error) throw error;
    ready.push(part);
  });
  for await (const { name, content, isPacked } of files) {
    const entry = isPacked ? new ZipPassThrough(name) : new ZipDeflate(name);
    entry.mtime = now;
    zip.add(entry);
    for await (const bytes of content) {
      entry.push(bytes);
      yield* take();
    }
    entry.push(new Uint8Array(), true);
    yield* take();
  }
  zip.end();
  yield* take();
}
