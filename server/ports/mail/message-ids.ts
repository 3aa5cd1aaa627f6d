import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { toAccountKey } from '../../db/account-key.ts';
import type { Db } from '../../db/connect.ts';
import { readSecret } from '../../db/secrets.ts';

/** Of the key only this leaves: it may name people. */
export const hashMessageKey = (key: string): string => hash('sha256', key, 'hex').slice(0, 32);

const SECRET = 'message-ids';

async function sign(db: Db, keyHash: string, email: string): Promise<string> {
  const hmac = createHmac('sha256', await readSecret(db, SECRET));
  return hmac
    .update(`${keyHash}\n${toAccountKey(email)}`)
    .digest('hex')
    .slice(0, 32);
}

/**
 * The first part of a Message-ID. Its second half proves that we sent this message to this address,
 * so that nobody can report a mail to someone else as returned. Nothing needs to be stored for that.
 */
export const buildMessageId = async (db: Db, key: string, email: string): Promise<string> =>
  `${hashMessageKey(key)}.${await sign(db, hashMessageKey(key), email)}`;

/** Whether we sent a message with this id to this address; then the hash of its key. */
export async function verifyMessageId(db: Db, id: string, email: string): Promise<string | null> {
  const [, keyHash, signature] = /^<?([0-9a-f]{32})\.([0-9a-f]{32})@/.exec(id.trim()) ?? [];
  if (!keyHash || !signature) return null;
  const expected = await sign(db, keyHash, email);
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? keyHash : null;
}
