import { createHmac } from 'node:crypto';
import type { Db } from '../../../db/connect.ts';
import { decryptText, encryptText, readSecret } from '../../../db/secrets.ts';
import type { SavedCard } from '../payments.ts';
import { isSignature } from '../provider-answers.ts';
import { fingerprintCard, showCard } from './cards.ts';
import type { CardRow } from './store.ts';

const SECRET = 'sandbox-cards';
const PURPOSE = 'sandbox-customers';

export const encryptEmail = (db: Db, email: string) => encryptText(db, PURPOSE, email);

/** The id with a signature, so that the tables hold no token. */
async function signToken(db: Db, cardId: string): Promise<string> {
  const secret = await readSecret(db, SECRET);
  return `tok_${cardId}_${createHmac('sha256', secret).update(cardId).digest('hex')}`;
}

/** The id of the card that the token charges; null if the sandbox never gave it out. */
export async function readToken(db: Db, token: string): Promise<string | null> {
  const cardId = /^tok_(\w+)_[0-9a-f]{64}$/.exec(token)?.[1];
  if (cardId === undefined) return null;
  return isSignature(token, await signToken(db, cardId)) ? cardId : null;
}

export async function presentCard(db: Db, row: CardRow): Promise<SavedCard> {
  const email = await decryptText(db, PURPOSE, row.email);
  return {
    card: showCard(row.method),
    token: await signToken(db, row.id),
    email,
    customerId: null,
    fingerprint: fingerprintCard(row.method, email),
  };
}
