import { randomBytes } from 'node:crypto';

export const RECOVERY_CODES = 10;
/** No letter that is mistaken for a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 16;

/** 80 random bits each: enough that a plain hash of one tells nothing. */
const newRecoveryCode = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte % 32)).join('');

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, newRecoveryCode);

/** In groups of four, as it is read and typed. */
export const groupRecoveryCode = (code: string): string => code.replace(/.{4}(?=.)/g, '$&-');
