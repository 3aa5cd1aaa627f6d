import { Readable } from 'node:stream';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { visibilityFor } from '../tracks/service.ts';
import { personalData } from './personal-data.ts';

type ArchivedFile = {
  name: string;
  content: AsyncIterable<Uint8Array>;
  /** Compressing a picture again does not make it smaller. */
  isCompressed?: boolean;
};

/** Streams a ZIP archive; memory holds only one part of one file at a time. */
async function* zipFiles(
  files: AsyncIterable<ArchivedFile>,
  now: number,
): AsyncGenerator<Uint8Array> {
  const { Zip, ZipDeflate, ZipPassThrough } = await import('fflate');
  let ready: Uint8Array[] = [];
  const flush = () => {
    const parts = ready;
    ready = [];
    return parts;
  };
  const zip = new Zip((error, part) => {
    if (error) throw error;
    ready.push(part);
  });
  for await (const { name, content, isCompressed } of files) {
    const entry = isCompressed ? new ZipPassThrough(name) : new ZipDeflate(name);
    entry.mtime = now;
    zip.add(entry);
    for await (const bytes of content) {
      entry.push(bytes);
      yield* flush();
    }
    entry.push(new Uint8Array(), true);
    yield* flush();
  }
  zip.end();
  yield* flush();
}

const describeArchive = (siteName: string, username: string, now: number): string =>
  `Everything ${siteName} stores about ${username}, as of ${new Date(now).toISOString()}.

Each .json file contains one kind of data and opens in any text editor.
Times look like 2026-11-15T12:00:00.000Z. Names that end in Ms are lengths in milliseconds.
A mix that isn’t out any more has only its id.
Your password is stored only as a one-way hash and isn’t included.
`;

/** Dates are easier to read than milliseconds. */
const formatTimes = (key: string, value: unknown): unknown =>
  typeof value === 'number' && /At$|Through$/.test(key) ? new Date(value).toISOString() : value;

async function* toJson(items: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  let separator = '[\n';
  for await (const item of items) {
    yield Buffer.from(separator + JSON.stringify(item, formatTimes, 2));
    separator = ',\n';
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n');
}

async function* toContent(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* listFiles(deps: Deps, viewer: Viewer): AsyncGenerator<ArchivedFile> {
  const { config, database, clock, storage } = deps;
  const { id, username, avatar_key: avatarKey } = viewer.user;
  const about = describeArchive(config.siteName, username, clock.now());
  yield { name: 'READ ME.txt', content: toContent(about) };
  const { publishedBy } = visibilityFor(viewer, clock.now());
  for (const { name, rows } of personalData)
    yield { name: `${name}.json`, content: toJson(rows(database.db, id, publishedBy)) };
  const avatar = avatarKey ? await storage.open(avatarKey) : null;
  if (!avatar) return;
  try {
    yield { name: 'avatar.webp', content: avatar.stream, isCompressed: true };
  } finally {
    // The browser may have given up before.
    avatar.stream.destroy();
  }
}

/** Streamed while it is built, so the server stores nothing of it. */
export const exportArchive = (deps: Deps, viewer: Viewer): Readable =>
  Readable.from(zipFiles(listFiles(deps, viewer), deps.clock.now()), { objectMode: false });
