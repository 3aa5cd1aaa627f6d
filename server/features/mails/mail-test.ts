import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';

const NAME = 'mail-test';
const MailTest = z.object({ through: z.string() });

/** The mail server and the sender: a test says nothing about another one. */
const describeMail = ({ smtp }: Pick<Config, 'smtp'>): string | null =>
  smtp && `${new URL(smtp.url).host} ${smtp.from}`;

/** Remembers that this mail server has accepted a test. */
export async function recordMailTest(
  db: Db,
  config: Pick<Config, 'smtp'>,
  now: number,
): Promise<void> {
  const through = describeMail(config);
  if (through === null) return;
  const row = { value: JSON.stringify({ through }), updated_at: now };
  await db
    .insertInto('settings')
    .values({ name: NAME, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** False without a mail server. */
export async function isMailTested(db: Db, config: Pick<Config, 'smtp'>): Promise<boolean> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst();
  if (!row) return false;
  const { data } = MailTest.safeParse(JSON.parse(row.value));
  return data !== undefined && data.through === describeMail(config);
}
