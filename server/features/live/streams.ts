import { Readable } from 'node:stream';
import { AppError } from '../../http/app-error.ts';
import type { SessionUser } from '../../http/sessions.ts';
import type { Hub } from './hub.ts';

/** Proxies end idle connections. */
const BEAT_MS = 25_000;
/** Then the browser reconnects, and we check access again. */
const STREAM_MS = 5 * 60_000;
const MAX_PER_USER = 10;
/** How many unread bytes a browser may accumulate before we disconnect it. */
const MAX_UNREAD = 64 * 1024;

export type Streams = { open: (user: SessionUser) => Readable; endAll: () => void };

const createTopicFilter = (user: SessionUser) => {
  const own = `user:${user.id}`;
  return (topic: string): boolean =>
    topic === own || (user.is_admin === 1 && topic.startsWith('admin:'));
};

export function createStreams(hub: Hub): Streams {
  const open = new Map<Readable, string>();
  let isClosed = false;

  function addStream(user: SessionUser): Readable {
    // A browser that reconnects while the server closes would keep it open.
    if (isClosed) return Readable.from([]);
    const openCount = [...open.values()].filter((id) => id === user.id).length;
    if (openCount >= MAX_PER_USER) throw new AppError('rate_limited');
    const stream = new Readable({ read() {} });
    open.set(stream, user.id);
    const send = (text: string) => {
      if (stream.readableLength > MAX_UNREAD) stream.destroy();
      else stream.push(text);
    };
    const unsubscribe = hub.subscribe({
      isInterestedIn: createTopicFilter(user),
      send: (topic) => send(`data: ${topic.startsWith('user:') ? 'me' : topic}\n\n`),
    });
    const beat = setInterval(() => send(': still here\n\n'), BEAT_MS).unref();
    const end = setTimeout(() => stream.push(null), STREAM_MS).unref();
    stream.once('close', () => {
      open.delete(stream);
      clearInterval(beat);
      clearTimeout(end);
      unsubscribe();
    });
    send('retry: 2000\n\n');
    return stream;
  }

  return {
    open: addStream,
    endAll: () => {
      isClosed = true;
      for (const stream of open.keys()) stream.push(null);
    },
  };
}
