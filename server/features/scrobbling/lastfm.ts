import { createHash } from 'node:crypto';
import type { LastfmSettings } from '../../config.ts';
import { sendRequest, type OutgoingAnswer } from '../../ports/outgoing/send-request.ts';
import {
  buildFailure,
  buildSilence,
  describeSilence,
  parseJson,
  readWaitMs,
  TIMEOUT_MS,
  type ConnectResult,
  type Listen,
  type PlayingNow,
  type SendResult,
  type Target,
} from './send-listens.ts';

/** As many as one request may have. */
export const MAX_SCROBBLES = 50;

/** Codes of errors, by what to do about them. All others mean: try again later. */
const TOKEN_REFUSED = new Set([4, 9, 14, 15, 17]);
const REQUEST_REJECTED = new Set([6, 7]);

type Parameters = Record<string, string>;

/** All parameters in the order of their names, each with its value, then the secret. */
export function signCall(parameters: Parameters, secret: string): string {
  const text = Object.keys(parameters)
    .toSorted()
    .map((name) => `${name}${parameters[name]}`)
    .join('');
  return createHash('md5')
    .update(text + secret, 'utf8')
    .digest('hex');
}

async function call(
  { apiKey, secret, url }: LastfmSettings,
  method: string,
  parameters: Parameters,
  signal?: AbortSignal,
): Promise<OutgoingAnswer> {
  const signed = { method, api_key: apiKey, ...parameters };
  const form = { ...signed, api_sig: signCall(signed, secret), format: 'json' };
  return sendRequest({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
    timeoutMs: TIMEOUT_MS,
    // The operator chose it.
    allowsPrivate: true,
    ...(signal && { signal }),
  });
}

/** Compatible services don't all answer with JSON. */
function readErrorCode({ text }: OutgoingAnswer): number | null {
  const json = parseJson(text);
  const code = json ? json.error : /<error code="(\d+)"/.exec(text)?.[1];
  return code === undefined ? null : Number(code);
}

export const buildAuthUrl = ({ apiKey, authUrl }: LastfmSettings, callback: string): string => {
  const url = new URL(authUrl);
  url.searchParams.set('api_key', apiKey);
  url.searchParams.set('cb', callback);
  return url.href;
};

/** Exchanges the token of the service's page, which works once, for a key that works until it is revoked. */
export async function connectLastfm(
  settings: LastfmSettings,
  token: string,
): Promise<ConnectResult> {
  try {
    const answer = await call(settings, 'auth.getSession', { token });
    if (TOKEN_REFUSED.has(readErrorCode(answer) ?? 0)) return 'refused';
    const session = parseJson(answer.text)?.session as
      | { name?: unknown; key?: unknown }
      | undefined;
    if (typeof session?.key !== 'string' || typeof session.name !== 'string') return 'unreachable';
    return { username: session.name.slice(0, 200), secret: session.key };
  } catch (error) {
    return describeSilence(error);
  }
}

async function submit(
  settings: LastfmSettings,
  target: Target,
  method: string,
  parameters: Parameters,
): Promise<SendResult> {
  try {
    const answer = await call(
      settings,
      method,
      { sk: target.secret, ...parameters },
      target.signal,
    );
    const code = readErrorCode(answer);
    if (code === null && answer.status === 200)
      return { kind: 'accepted', waitMs: readWaitMs(answer) };
    if (code !== null && TOKEN_REFUSED.has(code)) return { kind: 'refused' };
    if (code !== null && REQUEST_REJECTED.has(code)) return { kind: 'rejected' };
    return code === null ? buildFailure(answer) : buildFailure(answer, `error ${code}`);
  } catch (error) {
    return buildSilence(error);
  }
}

const toSeconds = (ms: number): string => String(Math.floor(ms / 1000));

/** What the service leaves out, because it is too old or filtered, it would leave out again. */
export function scrobble(
  settings: LastfmSettings,
  target: Target,
  listens: readonly Listen[],
): Promise<SendResult> {
  const fields = listens.flatMap((listen, index) => [
    [`artist[${index}]`, listen.artist],
    [`track[${index}]`, listen.title],
    [`album[${index}]`, listen.release],
    [`timestamp[${index}]`, toSeconds(listen.listened_at)],
    [`duration[${index}]`, toSeconds(listen.duration_ms)],
  ]);
  return submit(settings, target, 'track.scrobble', Object.fromEntries(fields) as Parameters);
}

export const updateNowPlaying = (
  settings: LastfmSettings,
  target: Target,
  playing: PlayingNow,
): Promise<SendResult> =>
  submit(settings, target, 'track.updateNowPlaying', {
    artist: playing.artist,
    track: playing.title,
    album: playing.release,
    duration: toSeconds(playing.duration_ms),
  });

/** What people call the service that the operator has set up. */
export function nameService({ url }: LastfmSettings): string {
  const host = URL.parse(url)?.hostname ?? '';
  if (/(?:^|\.)(?:audioscrobbler\.com|last\.fm)$/.test(host)) return 'Last.fm';
  return /(?:^|\.)libre\.fm$/.test(host) ? 'Libre.fm' : host;
}
