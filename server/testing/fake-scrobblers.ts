import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type FakeListen = { artist: string; title: string; release: string; at: number };

/** How the fake behaves: as documented, or in one of the ways that a service can fail. */
type Mood = 'well' | 'silent' | 'limited' | 'broken' | 'rejecting';

/** Headers that a client didn't send are empty. */
export type ScrobblerRequest = {
  method: string;
  url: string;
  authorization: string;
  contentType: string;
  body: string;
};

type Answer = { status: number; json: unknown; headers?: Record<string, string> };

export type FakeScrobbler = {
  origin: string;
  /** Every listen once, however often it was sent: by its time and its names. */
  listens: Map<string, FakeListen>;
  playing: FakeListen[];
  requests: ScrobblerRequest[];
  tokens: Set<string>;
  setMood: (mood: Mood) => void;
  /** Resolves with the next request that it doesn't answer. */
  waitForSilence: () => Promise<void>;
  /** Ends the connections of requests that it doesn't answer. */
  hangUp: () => void;
  close: () => Promise<void>;
};

type Service = {
  answer: (fake: FakeScrobbler, request: ScrobblerRequest) => Answer;
  limited: Answer;
  /** For a request that has this artist. */
  rejected: Answer;
};

export const UNWANTED_ARTIST = 'Nobody';

async function startFake(service: Service): Promise<FakeScrobbler> {
  let mood: Mood = 'well';
  let onSilence = () => {};
  const unanswered = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const seen: ScrobblerRequest = {
        method: request.method ?? '',
        url: request.url ?? '',
        authorization: request.headers.authorization ?? '',
        contentType: request.headers['content-type'] ?? '',
        body,
      };
      fake.requests.push(seen);
      if (mood === 'silent') {
        unanswered.add(response);
        return onSilence();
      }
      const isUnwanted = mood === 'rejecting' && body.includes(UNWANTED_ARTIST);
      const { status, json, headers } =
        mood === 'broken'
          ? { status: 502, json: '<h1>Bad gateway</h1>', headers: {} }
          : mood === 'limited'
            ? service.limited
            : isUnwanted
              ? service.rejected
              : service.answer(fake, seen);
      return response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeScrobbler = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    listens: new Map(),
    playing: [],
    requests: [],
    tokens: new Set(),
    setMood: (next) => void (mood = next),
    waitForSilence: () => new Promise((resolve) => void (onSilence = resolve)),
    hangUp: () => {
      for (const response of unanswered) response.destroy();
      unanswered.clear();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

const keep = (fake: FakeScrobbler, listen: FakeListen) =>
  fake.listens.set(`${listen.at} ${listen.artist} ${listen.title}`, listen);

type Submission = {
  listen_type: 'single' | 'import' | 'playing_now';
  payload: {
    listened_at?: number;
    track_metadata: { artist_name: string; track_name: string; release_name: string };
  }[];
};

/** What `POST /1/submit-listens` refuses, according to ListenBrainz's documentation. */
function findSubmissionProblem({ listen_type, payload }: Submission): string | null {
  if (!['single', 'import', 'playing_now'].includes(listen_type)) return 'Invalid listen_type.';
  if (payload.length === 0) return 'JSON document does not contain any listens';
  if (listen_type !== 'import' && payload.length > 1) return 'It should contain only one.';
  for (const { listened_at, track_metadata } of payload) {
    if (!track_metadata.artist_name.trim() || !track_metadata.track_name.trim())
      return 'JSON document does not contain required artist_name or track_name.';
    const hasTime = Number.isInteger(listened_at) && Number(listened_at) > 1_033_430_400;
    if (hasTime === (listen_type === 'playing_now')) return 'Wrong listened_at.';
  }
  return null;
}

function answerListenBrainz(fake: FakeScrobbler, request: ScrobblerRequest): Answer {
  const { pathname, searchParams } = new URL(request.url, fake.origin);
  const [scheme, token = ''] = request.authorization.split(' ');
  const isKnown = scheme === 'Token' && fake.tokens.has(token);
  if (pathname.endsWith('/1/validate-token')) {
    const isValid = isKnown || fake.tokens.has(searchParams.get('token') ?? '');
    const valid = { code: 200, message: 'Token valid.', valid: true, user_name: 'sipho_brainz' };
    const invalid = { code: 200, message: 'Token invalid.', valid: false };
    return { status: 200, json: isValid ? valid : invalid };
  }
  if (!pathname.endsWith('/1/submit-listens'))
    return { status: 404, json: { code: 404, error: 'Not found' } };
  if (!isKnown) return { status: 401, json: { code: 401, error: 'Invalid authorization token.' } };
  const submission = JSON.parse(request.body) as Submission;
  const problem = findSubmissionProblem(submission);
  if (problem) return { status: 400, json: { code: 400, error: problem } };
  for (const { listened_at: at = 0, track_metadata: names } of submission.payload) {
    const { artist_name: artist, track_name: title, release_name: release } = names;
    if (submission.listen_type === 'playing_now') fake.playing.push({ artist, title, release, at });
    else keep(fake, { artist, title, release, at });
  }
  return { status: 200, json: { status: 'ok' }, headers: { 'x-ratelimit-remaining': '29' } };
}

/** ListenBrainz, as its API documentation describes it. */
export const startListenBrainz = (): Promise<FakeScrobbler> =>
  startFake({
    answer: answerListenBrainz,
    limited: {
      status: 429,
      json: { code: 429, error: 'You have exceeded your rate limit.' },
      headers: {
        'x-ratelimit-limit': '30',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset-in': '1800',
      },
    },
    rejected: { status: 400, json: { code: 400, error: 'Invalid JSON document submitted.' } },
  });

export const LASTFM_KEY = '0123456789abcdef0123456789abcdef';
export const LASTFM_SECRET = 'fedcba9876543210fedcba9876543210';

const lastfmError = (error: number, message: string, status = 400): Answer => ({
  status,
  json: { error, message },
});

function isSigned(form: URLSearchParams): boolean {
  const names = [...form.keys()].filter(
    (name) => !['format', 'callback', 'api_sig'].includes(name),
  );
  const signed = names
    .toSorted()
    .map((name) => name + form.get(name))
    .join('');
  const expected = createHash('md5')
    .update(signed + LASTFM_SECRET)
    .digest('hex');
  return form.get('api_sig') === expected;
}

/** What a call says, whichever way it was sent. */
export const readCall = ({ url, body }: ScrobblerRequest): URLSearchParams =>
  new URLSearchParams(body || url.replace(/^[^?]*/, ''));

function answerLastfm(fake: FakeScrobbler, request: ScrobblerRequest): Answer {
  const form = readCall(request);
  const method = form.get('method')?.toLowerCase();
  const get = (name: string) => form.get(name) ?? '';
  if (get('api_key') !== LASTFM_KEY) return lastfmError(10, 'Invalid API key', 403);
  if (!isSigned(form)) return lastfmError(13, 'Invalid method signature supplied', 403);
  if (method === 'auth.getsession') {
    // Tokens work once.
    if (!fake.tokens.delete(get('token'))) return lastfmError(14, 'Unauthorized Token', 403);
    fake.tokens.add('session-key');
    const session = { subscriber: 0, name: 'sipho_fm', key: 'session-key' };
    return { status: 200, json: { session } };
  }
  if (!fake.tokens.has(get('sk'))) return lastfmError(9, 'Invalid session key', 403);
  if (method === 'track.updatenowplaying') {
    fake.playing.push({ artist: get('artist'), title: get('track'), release: get('album'), at: 0 });
    return { status: 200, json: { nowplaying: {} } };
  }
  if (method !== 'track.scrobble') return lastfmError(3, 'Invalid Method');
  // A single one may come without its number.
  const indexes = [...form.keys()].flatMap(
    (name) => /^artist((?:\[\d+\])?)$/.exec(name)?.[1] ?? [],
  );
  if (indexes.length === 0 || indexes.length > 50) return lastfmError(6, 'Invalid parameters');
  for (const index of indexes) {
    const artist = get(`artist${index}`);
    const title = get(`track${index}`);
    if (!artist || !title || !get(`timestamp${index}`)) return lastfmError(6, 'Invalid parameters');
    keep(fake, {
      artist,
      title,
      release: get(`album${index}`),
      at: Number(get(`timestamp${index}`)),
    });
  }
  const accepted = { accepted: indexes.length, ignored: 0 };
  return { status: 200, json: { scrobbles: { '@attr': accepted } } };
}

/** Last.fm's protocol, as its scrobbling and authentication documents describe it. */
export const startLastfm = (): Promise<FakeScrobbler> =>
  startFake({
    answer: answerLastfm,
    limited: lastfmError(29, 'Rate limit exceeded', 429),
    rejected: lastfmError(6, 'Invalid parameters'),
  });
