import { Secret, TOTP } from 'otpauth';

/** Every authenticator app assumes SHA-1, 6 digits and 30 seconds (RFC 6238). */
const PERIOD_SECONDS = 30;
/** Also accepts the code of the period before or after: clocks differ and typing takes time. */
const WINDOW = 1;

export const createTotpSecret = (): string => new Secret({ size: 20 }).base32;

const toTotp = (secret: string, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS });

/** The content of the QR code. */
export const buildTotpUri = (secret: string, names: { issuer: string; label: string }): string =>
  toTotp(secret, names).toString();

/** The number of the 30-second period a code belongs to; null for a wrong code. */
export function findTotpStep(secret: string, code: string, now: number): number | null {
  const delta = toTotp(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / (PERIOD_SECONDS * 1000)) + delta;
}
