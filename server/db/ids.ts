import { randomBytes } from 'node:crypto';

/** Crockford's base32 in lower case: no letter is mistaken for a digit, and text order is number order. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

const encodeTime = (time: number): string => {
  let rest = time;
  let text = '';
  for (let i = 0; i < TIME_LENGTH; i += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
};

/** 26 characters that sort by time of creation and cannot be guessed (80 random bits). */
export const newId = (now: number = Date.now()): string => {
  let random = '';
  for (const byte of randomBytes(RANDOM_LENGTH)) random += ALPHABET.charAt(byte % 32);
  return encodeTime(now) + random;
};
