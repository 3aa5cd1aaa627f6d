import { randomBytes } from 'node:crypto';
import type { Db } from './connect.ts';

/**
 * A random key of 256 bits that every server on this database shares. The first to ask makes it;
 * those who ask at the same moment get the same one.
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
  if (!row) throw new Error(`The secret ${name} could not be kept.`);
  return Buffer.from(row.value, 'base64url');
}
