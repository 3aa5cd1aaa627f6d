import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createJournal, findPercentile, isOk, type KindResult } from './journal.ts';
import { FILE_SIZE, roleOf, type LoadSite } from './load-site.ts';
import type { Answer, Ask, SiteEntrance } from './send.ts';

/**
 * Plays the people who got a mail about a new mix, as their browsers do it: the page and its files,
 * what its scripts ask for, and then the mix, in ranges at the speed at which it plays.
 */
export type ReleaseTask = {
  plays: 'release';
  /** From the first mail on. */
  seconds: number;
  /** The part of all who get the mail that opens the mix, sooner or later. */
  share: number;
};

export const RELEASE_KINDS = [
  'mail picture',
  'page',
  'file',
  'cover',
  'api',
  'live',
  'event',
  'play',
  'range',
  'heartbeat',
] as const;
export type ReleaseKind = (typeof RELEASE_KINDS)[number];

/** Ten seconds of the run. */
export type ReleaseStep = {
  mails: number;
  people: number;
  requests: number;
  shed: number;
  p50: number;
  p99: number;
};

export type ReleaseResult = {
  kinds: Record<ReleaseKind, KindResult>;
  steps: ReleaseStep[];
  mails: number;
  /** People who opened the page, and those of them who saw it at once. */
  people: number;
  servedAtOnce: number;
  /** How long the others waited, in milliseconds. */
  waits: number[];
  /** They were still waiting at the end. */
  stillWaiting: number;
  /** Files, pictures and calls that came only when they were asked for again. */
  repeated: number;
  listening: number;
  unexpected: string[];
  seconds: number;
};

/**
 * An assumption, chosen to be hard: half of those who come do so within three minutes of the mail, and
 * a quarter within the first.
 */
const MEDIAN_DELAY_MS = 3 * 60_000;
const DELAY_SPREAD = 1.63;
/** So many mails are opened, or read ahead by the provider: each loads the picture, after this on average. */
const PICTURE_SHARE = 0.6;
const PICTURE_DELAY_MS = 20_000;
/** Providers load pictures from few addresses. */
const PICTURE_ADDRESSES = 20;
/** So many have none of the page’s files from an earlier visit. */
const NEW_SHARE = 0.4;
const PLAY_SHARE = 0.7;
/** As browsers do over HTTP/1.1. */
const CONNECTIONS = 6;
const SCRIPTS_MS = 500;
const EVENTS_MS = 2000;
const PREVIEW_SECONDS = 20;
const HEARTBEAT_SECONDS = 10;
/** Ten seconds of a mix at 192 kbit/s. */
const RANGE_BYTES = 240_000;
const STEP_MS = 10_000;

const isWithin = (share: number): boolean => Math.random() < share;

/** Normally distributed (Box and Muller). */
const drawNormal = (): number =>
  Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
const drawDelay = (): number => MEDIAN_DELAY_MS * Math.exp(DELAY_SPREAD * drawNormal());

function readPage({ bytes, encoding }: Answer): string {
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/** What a page names: its styles, fonts and scripts, also those that it loads once it was shown. */
export const findFiles = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(/"(\/assets\/[^"]+)"/g), ([, path = '']) => path)),
];

const JSON_BODY = { 'content-type': 'application/json' };
const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' };

/** Of an event that the site keeps. */
function writeEvents(id: string): string {
  const properties = {
    token: 'site',
    $device_id: id,
    distinct_id: `$device:${id}`,
    $insert_id: `${id}-${Math.random()}`,
    time: Date.now() / 1000,
    platform: 'web',
    app_version: '1.0.0',
    screen_resolution: '390x844',
    viewport_size: '390x844',
    timestamp: new Date().toISOString(),
    name: 'Track',
  };
  const events = JSON.stringify([{ event: 'Page Viewed', properties }]);
  return `data=${encodeURIComponent(Buffer.from(events).toString('base64'))}`;
}

/** Members whose mail has arrived come as messages of the parent process. */
export async function playRelease(
  { seconds, share }: ReleaseTask,
  { release, cookies: sessions }: LoadSite,
  entrance: SiteEntrance,
): Promise<ReleaseResult> {
  if (!release) throw new Error('This site has no mix that comes out.');
  const { id, cover } = release;
  const journal = createJournal<ReleaseKind>();
  const steps: (Omit<ReleaseStep, 'p50' | 'p99'> & { times: number[] })[] = [];
  const waits: number[] = [];
  const running = new Set<Promise<void>>();
  const counts = { mails: 0, people: 0, servedAtOnce: 0, waiting: 0, repeated: 0, listening: 0 };
  let startedAt = Infinity;
  const isOver = () => performance.now() - startedAt >= seconds * 1000;
  const step = () => {
    const index = Math.floor((performance.now() - startedAt) / STEP_MS);
    return (steps[index] ??= { mails: 0, people: 0, requests: 0, shed: 0, times: [] });
  };
  const wait = (ms: number) =>
    pause(Math.max(0, Math.min(ms, startedAt + seconds * 1000 - performance.now())));

  /** Asks until it is answered, as browsers and the app do; null if it never is. */
  async function ask(
    kind: ReleaseKind,
    agent: ReturnType<SiteEntrance['connect']>,
    asked: Ask,
  ): Promise<(Answer & { isRepeated: boolean }) | null> {
    for (let attempt = 0; !isOver(); attempt += 1) {
      const at = performance.now();
      const current = step();
      current.requests += 1;
      try {
        const answer = await entrance.ask(agent, asked);
        const ms = performance.now() - at;
        journal.add(kind, answer.status, ms);
        if (isOk(answer.status)) {
          current.times.push(ms);
          if (attempt > 0) counts.repeated += 1;
          return { ...answer, isRepeated: attempt > 0 };
        }
        if (answer.status !== 503 || !answer.retryAfterMs) {
          const text = answer.bytes.toString().slice(0, 200);
          journal.complain(kind, `${asked.path} answered ${answer.status} ${text}`);
          return null;
        }
        current.shed += 1;
        await wait(answer.retryAfterMs);
      } catch (error) {
        if (!isOver()) journal.complain(kind, `${asked.path}: ${(error as Error).message}`);
        return null;
      }
    }
    return null;
  }

  async function openMail(index: number) {
    await wait(-Math.log(1 - Math.random()) * PICTURE_DELAY_MS);
    const agent = entrance.connect();
    const headers = { 'x-forwarded-for': `192.0.2.${index % PICTURE_ADDRESSES}` };
    await ask('mail picture', agent, { path: `/media/covers/${cover}.mail.jpg`, headers });
    agent.destroy();
  }

  async function visit(index: number) {
    const role = roleOf(index);
    const agent = entrance.connect(CONNECTIONS);
    const cookies = new Set(role === 'visitor' ? [] : [sessions[index] ?? '']);
    const addHeaders = (asked: Ask): Ask => ({
      ...asked,
      headers: {
        'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
        'accept-encoding': 'gzip, deflate, br',
        ...asked.headers,
        ...(cookies.size > 0 && { cookie: [...cookies].join('; ') }),
      },
    });
    const send = async (kind: ReleaseKind, asked: Ask) => {
      const answer = await ask(kind, agent, addHeaders(asked));
      for (const cookie of answer?.cookies ?? []) cookies.add(cookie);
      return answer;
    };

    async function openPage(): Promise<string | null> {
      const at = performance.now();
      counts.waiting += 1;
      const answer = await send('page', { path: `/track/${id}`, headers: { accept: 'text/html' } });
      if (!answer) return null;
      counts.waiting -= 1;
      if (answer.isRepeated) waits.push(performance.now() - at);
      else counts.servedAtOnce += 1;
      return readPage(answer);
    }

    async function loadFiles(html: string) {
      const files = isWithin(NEW_SHARE) ? findFiles(html) : [];
      await Promise.all([
        ...files.map((path) => send('file', { path })),
        send('cover', { path: `/media/covers/${cover}.webp` }),
      ]);
    }

    /** Until the page is closed; browsers connect again by themselves. */
    async function watchChanges() {
      const at = performance.now();
      try {
        const status = await entrance.listen(agent, addHeaders({ path: '/api/live' }));
        journal.add('live', status, performance.now() - at);
      } catch (error) {
        if (!isOver()) journal.complain('live', (error as Error).message);
      }
    }

    async function startScripts() {
      await wait(SCRIPTS_MS);
      if (role !== 'visitor') void watchChanges();
      const paths = ['/api/version', '/api/health'];
      if (role !== 'visitor') paths.push('/api/auth/me', '/api/me/preferences');
      await Promise.all(paths.map((path) => send('api', { path })));
      await wait(EVENTS_MS);
      await send('event', {
        path: '/api/events?verbose=1&ip=0',
        method: 'POST',
        headers: FORM_BODY,
        body: writeEvents(String(index)),
      });
    }

    const file = `/media/tracks/${id}/${role === 'subscriber' ? 'stream' : 'preview'}`;
    const readAudio = (part: number) => {
      const start = (part * RANGE_BYTES) % (FILE_SIZE - RANGE_BYTES);
      const range = `bytes=${start}-${start + RANGE_BYTES - 1}`;
      return send('range', { path: file, headers: { range } });
    };

    async function play() {
      await wait(2000 + Math.random() * 8000);
      const [started] = await Promise.all([
        send('play', { path: `/api/tracks/${id}/play`, method: 'POST' }),
        readAudio(1),
      ]);
      if (!started) return;
      const { playId } = JSON.parse(started.bytes.toString()) as { playId: string };
      counts.listening += 1;
      const longest = role === 'subscriber' ? Infinity : PREVIEW_SECONDS;
      for (let at = HEARTBEAT_SECONDS; at <= longest && !isOver(); at += HEARTBEAT_SECONDS) {
        await wait(HEARTBEAT_SECONDS * 1000);
        const body = JSON.stringify({ secondsListened: at, position: at });
        const path = `/api/plays/${playId}/heartbeat`;
        await Promise.all([
          send('heartbeat', { path, method: 'POST', headers: JSON_BODY, body }),
          role === 'subscriber' ? readAudio(1 + at / HEARTBEAT_SECONDS) : null,
        ]);
      }
      if (!isOver()) counts.listening -= 1;
    }

    await wait(drawDelay());
    if (isOver()) return agent.destroy();
    counts.people += 1;
    step().people += 1;
    const html = await openPage();
    if (html !== null) {
      await loadFiles(html);
      // A page of someone who is logged in loads the beginning of the mix, and listens for changes.
      const begun = role === 'visitor' ? null : readAudio(0);
      await Promise.all([begun, startScripts(), isWithin(PLAY_SHARE) ? play() : null]);
      await wait(Infinity);
    }
    agent.destroy();
  }

  const start = (work: Promise<void>) => {
    running.add(work);
    void work.finally(() => running.delete(work));
  };
  const { promise: begun, resolve: onFirst } = Promise.withResolvers<void>();
  process.on('message', (arrived: number[]) => {
    if (startedAt === Infinity) {
      startedAt = performance.now();
      onFirst();
    }
    if (isOver()) return;
    counts.mails += arrived.length;
    step().mails += arrived.length;
    for (const index of arrived) {
      if (isWithin(PICTURE_SHARE)) start(openMail(index));
      if (isWithin(share)) start(visit(index));
    }
  });
  await begun;
  await pause(seconds * 1000);
  await Promise.all(running);
  const { mails, people, servedAtOnce, waiting, repeated, listening } = counts;
  return {
    kinds: Object.fromEntries(
      RELEASE_KINDS.map((kind) => [kind, journal.describe(kind)]),
    ) as Record<ReleaseKind, KindResult>,
    steps: Array.from(
      { length: Math.ceil((seconds * 1000) / STEP_MS) },
      (_, index) => steps[index] ?? { mails: 0, people: 0, requests: 0, shed: 0, times: [] },
    ).map(({ times, ...counted }) => ({
      ...counted,
      p50: findPercentile(times, 0.5),
      p99: findPercentile(times, 0.99),
    })),
    mails,
    people,
    servedAtOnce,
    waits,
    stillWaiting: waiting,
    repeated,
    listening,
    unexpected: journal.unexpected,
    seconds,
  };
}
