import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { toAccountKey } from '../../db/account-key.ts';
import type { Db } from '../../db/connect.ts';
import { readSecret } from '../../db/secrets.ts';

/** Of the key only this leaves: it may name people. */
export const hashMessageKey = (key: string): string => hash('sha256', key, 'hex').slice(0, 32);

const SECRET = 'message-ids';

const readKey = (db: Db): Promise<Buffer> => readSecret(db, SECRET);

const sign = (secret: Buffer, keyHash: string, email: string): string =>
  createHmac('sha256', secret)
    .update(`${keyHash}\n${toAccountKey(email)}`)
    .digest('hex')
    .slice(0, 32);

/**
 * The first part of a Message-ID. Its second half proves that we sent this message to this address,
 * so that nobody can report a mail to someone else as returned. Nothing needs to be stored for that.
 */
export const buildMessageId = async (db: Db, key: string, email: string): Promise<string> =>
  `${hashMessageKey(key)}.${sign(await readKey(db), hashMessageKey(key), email)}`;

const OURS = /(?<![\w.])([0-9a-f]{32})\.([0-9a-f]{32})(?=@)/g;
/** A report is about one message. */
const MAX_IDS = 20;

/** What looks like an id of ours, anywhere in a text. */
export const listMessageIds = (text: string): string[] =>
  [...new Set(text.match(OURS))].slice(0, MAX_IDS).map((id) => `${id}@`);

export type SentMessage = { email: string; /** Of its key. */ messageHash: string };

/** The first of the messages that we have sent to one of the addresses. */
export async function findSentMessage(
  db: Db,
  ids: readonly string[],
  emails: readonly string[],
): Promise<SentMessage | null> {
  const secret = await readKey(db);
  for (const [, messageHash = '', signature = ''] of ids.join('\n').matchAll(OURS))
    for (const email of emails) {
      const expected = sign(secret, messageHash, email);
      if (timingSafeEqual(Buffer.from(signature), Buffer.from(expected)))
        return { email, messageHash };
    }
  return null;
}
