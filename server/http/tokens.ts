import { hash, randomBytes } from 'node:crypto';

/** 256 random bits for a cookie or a link. Of what opens an account only the hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The token has full entropy, so a plain hash is enough: there is nothing to guess. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');
