import type { ErrorCode } from '#contract/errors.ts';
import { ApiError, describeFailure } from '#web/lib/api.ts';

export type Failure = {
  title: string;
  text: string;
  /** One way on, where there is a better one than trying again. */
  way?: 'login' | 'subscription';
};

const byCode: Partial<Record<ErrorCode, Failure>> = {
  already_subscribed: {
    title: 'You have Premium already',
    text: 'It was paid for elsewhere, perhaps in another tab. Nothing was charged now.',
    way: 'subscription',
  },
  unauthenticated: {
    title: 'You are signed out',
    text: 'Log in again and you come back to this page. Nothing was charged.',
    way: 'login',
  },
  provider_unavailable: {
    title: 'The payment page cannot be reached',
    text: 'Nothing was charged. Try again in a minute.',
  },
  rate_limited: {
    title: 'That was too often',
    text: 'Nothing was charged. Wait a few minutes and try again.',
  },
};

/** What somebody reads whose checkout could not begin. Nothing was charged in any of these. */
export function describeCheckoutFailure(error: unknown): Failure {
  const known = error instanceof ApiError && error.code && byCode[error.code];
  const said = describeFailure(error, 'Check the connection and try again.');
  return known || { title: 'The payment could not begin', text: `${said} Nothing was charged.` };
}
