import { Readable } from 'node:stream';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import { sections } from './sections.ts';
import { zipFiles, type ArchivedFile } from './zip-files.ts';

const describeArchive = (siteName: string, username: string, now: number): string =>
  `Everything that ${siteName} keeps about ${username}, as of ${new Date(now).toISOString()}.

Each .json file holds one kind of data and opens in any text editor.
Times are written as in 2026-11-15T12:00:00.000Z; lengths end in Ms and count milliseconds.
Your password is kept only in a form that cannot be turned back, and is not part of this.
`;

/** People read dates, not milliseconds. */
const readable = (key: string, value: unknown): unknown =>
  typeof value === 'number' && /At$|Through$/.test(key) ? new Date(value).toISOString() : value;

async function* writeJson(rows: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  let separator = '[\n';
  for await (const row of rows) {
    yield Buffer.from(separator + JSON.stringify(row, readable, 2));
    separator = ',\n';
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n');
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* listFiles(deps: Deps, viewer: Viewer): AsyncGenerator<ArchivedFile> {
  const { config, database, clock, storage } = deps;
  const { id, username, avatar_key: avatarKey } = viewer.user;
  const about = describeArchive(config.siteName, username, clock.now());
  yield { name: 'READ ME.txt', content: once(about) };
  for (const { name, read } of sections)
    yield { name: `${name}.json`, content: writeJson(read(database.db, id)) };
  const avatar = avatarKey ? await storage.open(avatarKey) : null;
  if (avatar) yield { name: 'avatar.webp', content: avatar.stream, isPacked: true };
}

/** Made while it is sent: nothing of it is left on the server. */
export const exportEverything = (deps: Deps, viewer: Viewer): Readable =>
  Readable.from(zipFiles(listFiles(deps, viewer), deps.clock.now()), { objectMode: false });
