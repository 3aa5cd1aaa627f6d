import { Secret, TOTP } from 'otpauth';

/** What every authenticator app assumes (RFC 6238): SHA-1, 6 digits, 30 seconds. */
const PERIOD_SECONDS = 30;
/** A code of the half minute before or after is taken too: clocks differ and people are slow. */
const WINDOW = 1;

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS });

/** What the app reads from the picture. */
export const writeTotpUri = (secret: string, names: { issuer: string; label: string }): string =>
  totpOf(secret, names).toString();

/** The half minute that a code belongs to; null when it is not one of these. */
export function findTotpStep(secret: string, code: string, now: number): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / (PERIOD_SECONDS * 1000)) + delta;
}
