import { createHash, randomBytes } from 'node:crypto';
import type { Random } from '#server/testing/random.ts';
import { PASSWORD } from '#server/testing/access/people.ts';
import { writeToneWav } from '#server/testing/tone-wav.ts';

/** A write that the site has acknowledged. The recount looks for each of them. */
export type Entry =
  | { kind: 'account'; username: string }
  | { kind: 'favorite'; username: string; trackId: string }
  | { kind: 'unfavorite'; username: string; trackId: string }
  | { kind: 'playlist'; id: string; name: string; trackIds: string[] }
  | { kind: 'play'; playId: string; username: string; trackId: string }
  | { kind: 'progress'; username: string; trackId: string; positionMs: number }
  | { kind: 'password'; username: string; password: string }
  | { kind: 'preference'; username: string }
  | { kind: 'payment'; username: string }
  | { kind: 'upload'; id: string; received: Buffer; isWhole: boolean; sha256: string };

export type Journal = {
  entries: Entry[];
  /** Writes whose answer never came: they may have happened or not. */
  unknown: number;
  /** Refused with a clear answer. */
  refused: Map<number, number>;
  /** Answers that say nothing useful. */
  bad: string[];
};

export const createJournal = (): Journal => ({
  entries: [],
  unknown: 0,
  refused: new Map(),
  bad: [],
});

/** Above the server's own time limits, so that it answers first. */
const PATIENCE_MS = 45_000;

/** Thrown when it isn't known whether the write happened: whoever wrote starts afresh. */
class NoAcknowledgement extends Error {}

type Request = { method: string; path: string; cookie?: string; body?: object | Buffer | string };
type Options = { origin: string; journal: Journal; random: Random; trackIds: readonly string[] };

export type Writer = { run: (isOver: () => boolean) => Promise<void> };

const toCookie = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');

const tone = writeToneWav({ seconds: 1, loudFrom: 0 });

/** A short sound that no other upload has. */
function buildUpload(): Buffer {
  const bytes = Buffer.from(tone);
  bytes.set(randomBytes(8), bytes.length - 16);
  return bytes;
}

/** Someone who writes one thing after the other, and notes what was acknowledged. */
export function createWriter(
  { origin, journal, random, trackIds }: Options,
  admin: string,
): Writer {
  let count = 0;

  async function send(
    { method, path, cookie, body }: Request,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const isJson = body !== undefined && typeof body === 'object' && !Buffer.isBuffer(body);
    let response: Response;
    try {
      response = await fetch(`${origin}${path}`, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          origin,
          // One proxy is trusted here, so everyone has an address of their own.
          'x-forwarded-for': `10.${random.below(250)}.${random.below(250)}.${random.below(250)}`,
          ...(cookie && { cookie }),
          ...(isJson && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string) }),
      });
    } catch {
      journal.unknown += 1;
      throw new NoAcknowledgement();
    }
    if (response.status < 400) return response;
    journal.refused.set(response.status, (journal.refused.get(response.status) ?? 0) + 1);
    const text = await response.text().catch(() => '');
    if (response.status === 500) journal.bad.push(`${method} ${path}: 500 ${text.slice(0, 200)}`);
    throw new NoAcknowledgement();
  }

  /** A new account, so that nothing it writes was ever written before. */
  async function register() {
    const username = `c${randomBytes(8).toString('hex')}`;
    const body = { username, email: `${username}@example.com`, password: PASSWORD };
    const response = await send({ method: 'POST', path: '/api/auth/register', body });
    const cookie = toCookie(response);
    // The body says that it is done; the status alone may come before a crash.
    await response.text();
    journal.entries.push({ kind: 'account', username });
    return { username, cookie };
  }

  type Account = Awaited<ReturnType<typeof register>>;

  async function favor({ username, cookie }: Account, trackId: string) {
    const path = `/api/tracks/${trackId}/favorite`;
    await send({ method: 'POST', path, cookie });
    const about = { username, trackId };
    if (random.below(4) > 0) return journal.entries.push({ kind: 'favorite', ...about });
    await send({ method: 'DELETE', path, cookie });
    return journal.entries.push({ kind: 'unfavorite', ...about });
  }

  async function makePlaylist({ cookie }: Account, chosen: string[]) {
    const name = `List ${randomBytes(6).toString('hex')}`;
    const body = { name, trackIds: chosen };
    const response = await send({ method: 'POST', path: '/api/playlists', cookie, body });
    const { id } = (await response.json()) as { id: string };
    journal.entries.push({ kind: 'playlist', id, name, trackIds: chosen });
  }

  async function listen({ username, cookie }: Account, trackId: string) {
    const started = await send({ method: 'POST', path: `/api/tracks/${trackId}/play`, cookie });
    const { playId } = (await started.json()) as { playId: string };
    journal.entries.push({ kind: 'play', playId, username, trackId });
    const position = 1 + random.below(15);
    const body = { secondsListened: 0, position };
    await send({ method: 'POST', path: `/api/plays/${playId}/heartbeat`, cookie, body });
    // A preview starts somewhere in the mix, so only its row is looked for.
    journal.entries.push({ kind: 'progress', username, trackId, positionMs: position * 1000 });
  }

  async function changePassword({ username, cookie }: Account) {
    const newPassword = `horse ${randomBytes(8).toString('hex')}`;
    const body = { currentPassword: PASSWORD, newPassword };
    await send({ method: 'POST', path: '/api/me/password', cookie, body });
    journal.entries.push({ kind: 'password', username, password: newPassword });
  }

  async function choose({ username, cookie }: Account) {
    const body = { newsMails: true };
    await send({ method: 'PATCH', path: '/api/me/preferences', cookie, body });
    journal.entries.push({ kind: 'preference', username });
  }

  async function pay({ username, cookie }: Account) {
    const order = { plan: 'monthly' };
    const checkout = await send({ method: 'POST', path: '/api/checkout', cookie, body: order });
    const { url } = (await checkout.json()) as { url: string };
    const path = new URL(url).pathname;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const paid = await send(
      { method: 'POST', path, cookie, body: 'card=success&answer=pay' },
      form,
    );
    if (paid.status === 303) journal.entries.push({ kind: 'payment', username });
  }

  async function upload() {
    const bytes = buildUpload();
    const isWhole = random.below(3) > 0;
    const tus = { 'tus-resumable': '1.0.0' };
    const metadata = `filename ${Buffer.from(`tone-${count}.wav`).toString('base64')}`;
    const size = { 'upload-length': String(bytes.length), 'upload-metadata': metadata };
    const path = '/api/admin/uploads';
    const created = await send({ method: 'POST', path, cookie: admin }, { ...tus, ...size });
    const location = new URL(created.headers.get('location') ?? '', origin).pathname;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const entry: Entry & { kind: 'upload' } = {
      kind: 'upload',
      id: location.split('/').at(-1) ?? '',
      received: bytes.subarray(0, 0),
      isWhole: false,
      sha256,
    };
    journal.entries.push(entry);
    const partSize = Math.ceil(bytes.length / 3);
    for (let at = 0; at < (isWhole ? bytes.length : 2 * partSize); at += partSize) {
      const body = bytes.subarray(at, at + partSize);
      const headers = {
        'upload-offset': String(at),
        'content-type': 'application/offset+octet-stream',
      };
      await send({ method: 'PATCH', path: location, cookie: admin, body }, { ...tus, ...headers });
      entry.received = bytes.subarray(0, at + body.length);
    }
    entry.isWhole = isWhole;
  }

  async function live() {
    count += 1;
    if (random.below(4) === 0) await upload();
    const account = await register();
    const chosen = [...trackIds].toSorted(() => random.below(3) - 1);
    for (const trackId of chosen.slice(0, 6)) await favor(account, trackId);
    await makePlaylist(account, chosen.slice(0, 3));
    for (const trackId of chosen.slice(0, 3)) await listen(account, trackId);
    await choose(account);
    if (random.below(3) === 0) await pay(account);
    if (random.below(3) === 0) await changePassword(account);
  }

  return {
    run: async (isOver) => {
      while (!isOver()) {
        await live().catch(async (error: unknown) => {
          if (!(error instanceof NoAcknowledgement)) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        });
      }
    },
  };
}
