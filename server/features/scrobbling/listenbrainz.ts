import { PRODUCT_NAME } from '../../env-settings.ts';
import { sendRequest } from '../../ports/outgoing/send-request.ts';
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

/** ListenBrainz takes 1000 at a time; other servers with its protocol are smaller. */
export const MAX_LISTENS = 100;

/** Accepts addresses as these servers show them: with `/1`, a slash, or neither. */
export function toServerAddress(text: string): string | null {
  const url = URL.parse(text);
  if (!url) return null;
  return `${url.origin}${url.pathname}`.replace(/(?:\/1)?\/*$/, '');
}

const toHeaders = (token: string) => ({
  authorization: `Token ${token}`,
  accept: 'application/json',
});

/** Asks the server whose token it is. */
export async function connectListenBrainz(
  token: string,
  { server, allowsPrivate }: Pick<Target, 'server' | 'allowsPrivate'>,
): Promise<ConnectResult> {
  try {
    const answer = await sendRequest({
      method: 'GET',
      url: `${server}/1/validate-token`,
      headers: toHeaders(token),
      timeoutMs: TIMEOUT_MS,
      allowsPrivate,
    });
    const json = parseJson(answer.text);
    if (answer.status === 401 || answer.status === 403 || json?.valid === false) return 'refused';
    if (answer.status !== 200 || json?.valid !== true) return 'unreachable';
    const name = typeof json.user_name === 'string' ? json.user_name : '';
    const host = URL.parse(server)?.hostname ?? '';
    return { username: name.slice(0, 200) || host, secret: token };
  } catch (error) {
    return describeSilence(error);
  }
}

const toMetadata = (listen: PlayingNow, { siteName, origin }: Target) => ({
  artist_name: listen.artist,
  track_name: listen.title,
  release_name: listen.release,
  additional_info: {
    media_player: siteName,
    submission_client: PRODUCT_NAME,
    music_service: URL.parse(origin)?.hostname ?? siteName,
    music_service_name: siteName,
    origin_url: `${origin}/track/${listen.track_id}`,
    duration_ms: listen.duration_ms,
  },
});

async function submit(target: Target, body: object): Promise<SendResult> {
  const { server, secret, allowsPrivate, signal } = target;
  try {
    const answer = await sendRequest({
      method: 'POST',
      url: `${server}/1/submit-listens`,
      headers: { ...toHeaders(secret), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      allowsPrivate,
      ...(signal && { signal }),
    });
    if (answer.status === 200) return { kind: 'accepted', waitMs: readWaitMs(answer) };
    if (answer.status === 401 || answer.status === 403) return { kind: 'refused' };
    if (answer.status === 400 || answer.status === 413) return { kind: 'rejected' };
    return buildFailure(answer);
  } catch (error) {
    return buildSilence(error);
  }
}

/** The same listen again changes nothing: the server knows it by its time and its names. */
export const submitListens = (target: Target, listens: readonly Listen[]): Promise<SendResult> =>
  submit(target, {
    listen_type: listens.length === 1 ? 'single' : 'import',
    payload: listens.map((listen) => ({
      listened_at: Math.floor(listen.listened_at / 1000),
      track_metadata: toMetadata(listen, target),
    })),
  });

export const submitPlayingNow = (target: Target, playing: PlayingNow): Promise<SendResult> =>
  submit(target, {
    listen_type: 'playing_now',
    payload: [{ track_metadata: toMetadata(playing, target) }],
  });
