import { Readable } from 'node:stream';
import { AppError } from '../../http/app-error.ts';
import type { SessionUser } from '../../http/sessions.ts';
import type { Hub } from './hub.ts';

/** Proxies end a connection on which nothing is said. */
const BEAT_MS = 25_000;
/** Then the browser comes again, and whether it still may is asked anew. */
const STREAM_MS = 5 * 60_000;
const MOST_PER_USER = 10;
/** What a browser that does not read may pile up before it is cut off. */
const MOST_UNREAD = 64 * 1024;

export type Streams = { open: (user: SessionUser) => Readable; endAll: () => void };

const isFor = (user: SessionUser) => {
  const own = `user:${user.id}`;
  return (topic: string): boolean =>
    topic === own || (user.is_admin === 1 && topic.startsWith('admin:'));
};

export function createStreams(hub: Hub): Streams {
  const open = new Map<Readable, string>();
  let isOver = false;

  function addStream(user: SessionUser): Readable {
    // A browser that comes again while the server closes would hold it open.
    if (isOver) return Readable.from([]);
    const held = [...open.values()].filter((id) => id === user.id).length;
    if (held >= MOST_PER_USER) throw new AppError('rate_limited');
    const stream = new Readable({ read() {} });
    open.set(stream, user.id);
    const say = (text: string) => {
      if (stream.readableLength > MOST_UNREAD) stream.destroy();
      else stream.push(text);
    };
    const leave = hub.join({
      isFor: isFor(user),
      tell: (topic) => say(`data: ${topic.startsWith('user:') ? 'me' : topic}\n\n`),
    });
    const beat = setInterval(() => say(': still here\n\n'), BEAT_MS).unref();
    const end = setTimeout(() => stream.push(null), STREAM_MS).unref();
    stream.once('close', () => {
      open.delete(stream);
      clearInterval(beat);
      clearTimeout(end);
      leave();
    });
    say('retry: 2000\n\n');
    return stream;
  }

  return {
    open: addStream,
    endAll: () => {
      isOver = true;
      for (const stream of open.keys()) stream.push(null);
    },
  };
}
