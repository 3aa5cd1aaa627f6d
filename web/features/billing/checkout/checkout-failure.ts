import type { ErrorCode } from '#contract/errors.ts';
import { ApiError, describeFailure } from '#web/lib/api/api.ts';

export type CheckoutFailure = {
  title: string;
  text: string;
  /** Where to go instead of trying again. */
  link?: 'login' | 'subscription';
};

const byCode: Partial<Record<ErrorCode, CheckoutFailure>> = {
  already_subscribed: {
    title: 'You already have Premium',
    text: 'It looks like you paid in another tab.',
    link: 'subscription',
  },
  unauthenticated: {
    title: 'You’ve been logged out',
    text: 'Log in and we’ll bring you back here.',
    link: 'login',
  },
  provider_unavailable: {
    title: 'We can’t reach the payment page',
    text: 'Try again in a minute.',
  },
  rate_limited: {
    title: 'Too many attempts',
    text: 'Wait a few minutes and try again.',
  },
};

/** For a checkout that couldn't start. An earlier page may still be paid, so nothing is said about charges. */
export function describeCheckoutFailure(error: unknown): CheckoutFailure {
  const failure = error instanceof ApiError && error.code && byCode[error.code];
  if (failure) return failure;
  const message = describeFailure(error, 'Check your connection and try again.');
  return { title: 'Couldn’t start the payment', text: message };
}
