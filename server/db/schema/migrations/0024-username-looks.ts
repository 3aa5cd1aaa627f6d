import { sql, type Transaction } from 'kysely';
import { buildUsernameLook } from '../../build-rows.ts';
import { runStatements, type MigrationSteps } from './migration.ts';

const BATCH = 500;

/** The older of two accounts that look alike has the look itself; the id follows it for others. */
async function fillLooks(tx: Transaction<unknown>) {
  const { rows } = await sql<{ id: string; username: string }>`
    select id, username from users order by created_at, id`.execute(tx);
  const taken = new Set<string>();
  const looks: { id: string; look: string }[] = [];
  for (const { id, username } of rows) {
    const look = await buildUsernameLook(username);
    looks.push({ id, look: taken.has(look) ? `${look} ${id}` : look });
    taken.add(look);
  }
  for (let start = 0; start < looks.length; start += BATCH) {
    const values = looks
      .slice(start, start + BATCH)
      .map(({ id, look }) => sql`(cast(${id} as text), cast(${look} as text))`);
    await sql`
      update users set username_look = looks.column2
      from (values ${sql.join(values)}) as looks
      where users.id = looks.column1`.execute(tx);
  }
}

export const usernameLooks: MigrationSteps = {
  up: async (tx, dialect) => {
    // Equal for usernames that look alike.
    await runStatements(tx, dialect, ['alter table users add column username_look text']);
    await fillLooks(tx);
    await runStatements(tx, dialect, [
      'create unique index users_by_look on users (username_look)',
    ]);
  },
};
