import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { Passkey } from '#contract/security.ts';
import type { User } from '#contract/accounts.ts';
import { call } from '#web/lib/api/api.ts';
import { withConfirmation } from '#web/lib/api/confirm-identity.ts';

/** A sentence for the user, as the server's refusals have one. */
export class PasskeyProblem extends Error {
  override name = 'PasskeyProblem';
}

/** The user closed the browser's dialog, or let it wait too long. */
export class PasskeyCancelled extends Error {
  override name = 'PasskeyCancelled';
}

const KNOWN = 'This device already has a passkey for your account.';

function toProblem(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isKnown =
    error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
  if (isKnown) return new PasskeyProblem(KNOWN);
  if (['NotAllowedError', 'AbortError'].includes(error.name)) return new PasskeyCancelled();
  if (error instanceof WebAuthnError)
    return new PasskeyProblem('Your device couldn’t do this. Try another one.');
  return error;
}

async function ask<T>(browser: () => Promise<T>): Promise<T> {
  if (!browserSupportsWebAuthn())
    throw new PasskeyProblem('This browser doesn’t support passkeys. Try another one.');
  try {
    return await browser();
  } catch (error) {
    throw toProblem(error);
  }
}

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Only what the server reads. */
const pick = <T extends { id: string; rawId: string; type: string; response: unknown }>({
  id,
  rawId,
  response,
}: T) => ({ id, rawId, type: 'public-key' as const, response: response as T['response'] });

export async function createPasskey(): Promise<Passkey> {
  const options = await withConfirmation(() => call('POST /api/me/passkeys/options'));
  const created = await ask(() =>
    startRegistration({ optionsJSON: options as unknown as CreationOptions }),
  );
  return call('POST /api/me/passkeys', { body: { credential: pick(created) } });
}

export async function logInWithPasskey(): Promise<User> {
  const options = await call('POST /api/auth/passkey/options');
  const signed = await ask(() => startAuthentication({ optionsJSON: options }));
  return call('POST /api/auth/passkey', { body: { credential: pick(signed) } });
}
