import { expect } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import type { TestApp } from './test-app.ts';
import { PASSWORD, type TestUser } from './test-user.ts';

/** The code that the user's app shows, now or `offsetMs` later. */
export const codeAt = (test: TestApp, secret: string, offsetMs = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: test.clock.now() + offsetMs,
  });

export type TwoStep = { secret: string; recoveryCodes: string[] };

/** Consumes the current code. */
export async function enableTwoStepLogin(test: TestApp, { client }: TestUser): Promise<TwoStep> {
  const started = await client.request({
    method: 'POST',
    url: '/api/me/totp',
    payload: { password: PASSWORD },
  });
  expect(started.statusCode).toBe(200);
  const { secret } = started.json<{ secret: string }>();
  const confirmed = await client.request({
    method: 'POST',
    url: '/api/me/totp/confirm',
    payload: { code: codeAt(test, secret) },
  });
  expect(confirmed.statusCode).toBe(200);
  return { secret, ...confirmed.json<{ recoveryCodes: string[] }>() };
}

export const HALF_MINUTE = 30_000;
