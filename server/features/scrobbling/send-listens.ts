import { HOUR, SECOND } from '#contract/rules/time.ts';
import type { ScrobblesTable } from '../../db/types/account-tables.ts';
import { ForbiddenAddressError, type OutgoingAnswer } from '../../ports/outgoing/send-request.ts';

/** What a service learns about a listen. */
export type Listen = Pick<
  ScrobblesTable,
  'artist' | 'title' | 'release' | 'track_id' | 'duration_ms' | 'listened_at'
>;
export type PlayingNow = Omit<Listen, 'listened_at'>;

/** Where to send, as whom, and what the site says about itself. */
export type Target = {
  server: string;
  /** The token or session key. */
  secret: string;
  siteName: string;
  origin: string;
  allowsPrivate: boolean;
  signal?: AbortSignal;
};

export type SendResult =
  /** `waitMs`: how long to wait before the next request. */
  | { kind: 'accepted'; waitMs: number }
  /** The token isn't valid any more. */
  | { kind: 'refused' }
  /** Sending the same again would fail again. */
  | { kind: 'rejected' }
  /** Later it may work; not before `waitMs`. */
  | { kind: 'failed'; waitMs: number; reason: string };

export type Connection = { username: string; secret: string };
export type ConnectResult = Connection | 'refused' | 'unreachable' | 'forbidden address';

/** Nobody waits for it, but a silent server must not hold up those of others for long. */
export const TIMEOUT_MS = 10 * SECOND;
/** Whatever a server asks for. */
const LONGEST_WAIT_MS = HOUR;

const readSeconds = (header: string | string[] | undefined): number => {
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
};

/** How long the service asks us to wait: `Retry-After`, or its own headers about its limit. */
export function readWaitMs({ status, headers }: OutgoingAnswer): number {
  const isOverLimit = status === 429 || headers['x-ratelimit-remaining'] === '0';
  const reset = isOverLimit ? readSeconds(headers['x-ratelimit-reset-in']) : 0;
  return Math.min(LONGEST_WAIT_MS, Math.max(reset, readSeconds(headers['retry-after'])));
}

export const buildFailure = (answer: OutgoingAnswer, said = String(answer.status)): SendResult => ({
  kind: 'failed',
  waitMs: readWaitMs(answer),
  reason: `It answered with ${said}.`,
});

/** No answer at all, or none that makes sense. */
export const buildSilence = (error: unknown): SendResult => ({
  kind: 'failed',
  waitMs: 0,
  reason: error instanceof Error ? error.message : 'It didn’t answer.',
});

export const describeSilence = (error: unknown): 'forbidden address' | 'unreachable' =>
  error instanceof ForbiddenAddressError ? 'forbidden address' : 'unreachable';

export function parseJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
