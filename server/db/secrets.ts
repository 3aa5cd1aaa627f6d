import { randomBytes } from 'node:crypto';
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
