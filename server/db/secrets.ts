import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Db } from './connect.ts';

/**
 * A random 256-bit key that all servers on this database share. The first caller creates it;
 * simultaneous callers get the same one.
 */
export async function readSecret(db: Db, name: string): Promise<Buffer> {
  const find = () =>
    db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
  let row = await find();
  if (!row) {
    await db
      .insertInto('secrets')
      .values({ name, value: randomBytes(32).toString('base64url') })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    row = await find();
  }
  if (!row) throw new Error(`Could not store the secret ${name}.`);
  return Buffer.from(row.value, 'base64url');
}

const TEXT_SECRET = 'encrypted-text';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Names the format, so that another one can follow. */
const PREFIX = 'v1.';

/** The secret never changes while a server runs. */
const secrets = new WeakMap<Db, Promise<Buffer>>();

function readKeySecret(db: Db): Promise<Buffer> {
  const known = secrets.get(db);
  if (known) return known;
  const secret = readSecret(db, TEXT_SECRET);
  secrets.set(db, secret);
  secret.catch(() => secrets.delete(db));
  return secret;
}

async function deriveKey(db: Db, label: string): Promise<Buffer> {
  const secret = await readKeySecret(db);
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), label, 32));
}

/** A key to sign something for one purpose, the same on all servers of the site; asks the database once. */
export const deriveSigningKey = (db: Db, purpose: string): Promise<Buffer> =>
  deriveKey(db, `signature:${purpose}`);

const deriveTextKey = (db: Db, purpose: string) => deriveKey(db, `encrypted-text:${purpose}`);

/**
 * Encrypts what the server must read again, such as a password for another service. All servers on the
 * database can decrypt it, with the same purpose: `app-passwords`, say. What the server only compares
 * is hashed instead (`server/http/route/tokens.ts`).
 */
export async function encryptText(db: Db, purpose: string, text: string): Promise<string> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, await deriveTextKey(db, purpose), nonce);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Throws if the text was changed, or encrypted for another purpose or by another site. */
export async function decryptText(db: Db, purpose: string, encrypted: string): Promise<string> {
  const bytes = Buffer.from(encrypted.slice(PREFIX.length), 'base64url');
  if (!encrypted.startsWith(PREFIX) || bytes.length < NONCE_BYTES + TAG_BYTES)
    throw new Error(`This isn’t an encrypted text, for ${purpose}.`);
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const key = await deriveTextKey(db, purpose);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
