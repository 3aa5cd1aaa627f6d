import { DAY } from '#contract/rules/time.ts';
import { buildUser } from '../../db/build-rows.ts';
import type { Deps } from '../../deps.ts';
import { cookieName } from '../../http/route/cookies.ts';
import { createSession } from '../../features/sessions/service.ts';
import { SESSION_COOKIE } from '../../http/route/sessions.ts';
import { newId } from '../../db/ids.ts';
import { hashPassword } from '../../background/passwords.ts';

/** The columns of docs/access.md. `other` is a subscriber who asks for what belongs to someone else. */
export const ROLES = [
  'visitor',
  'free',
  'subscriber',
  'lapsed',
  'helper',
  'admin',
  'other',
] as const;
export type Role = (typeof ROLES)[number];

export const PASSWORD = 'correct horse battery';
const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1 };

export type Person = {
  role: Role;
  id: string;
  username: string;
  email: string;
  /** Empty for a visitor. */
  cookie: string;
  /** Everyone calls from another address, so that no limit per address refuses them. */
  address: string;
};

let count = 0;
let passwordHash: Promise<string> | null = null;

/** The next address of a private network. */
function nextAddress(): string {
  count += 1;
  return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
}

function paidThrough(role: Role, now: number): number | null {
  if (role === 'subscriber' || role === 'other') return now + 30 * DAY;
  return role === 'lapsed' ? now - 30 * DAY : null;
}

/** Someone with an account of their own and a session; a visitor has neither. */
export async function createPerson(deps: Deps, role: Role): Promise<Person> {
  const { database, clock, config } = deps;
  const address = nextAddress();
  const now = clock.now();
  const id = newId(now);
  const username = `${role}${id.slice(-10)}`;
  const person = { role, id, username, email: `${username}@private.example`, address };
  if (role === 'visitor') return { ...person, cookie: '' };
  const rights = {
    is_admin: role === 'admin' ? 1 : 0,
    is_helper: role === 'helper' ? 1 : 0,
  } as const;
  passwordHash ??= hashPassword(PASSWORD, CHEAP);
  await database.db
    .insertInto('users')
    .values(
      buildUser({
        id,
        username,
        email: person.email,
        password_hash: await passwordHash,
        ...rights,
        paid_through: paidThrough(role, now),
        created_at: now - 60 * DAY,
      }),
    )
    .execute();
  const session = { user: { id, ...rights }, userAgent: '', ip: address, now };
  const token = await createSession(database.db, session);
  return { ...person, cookie: `${cookieName(config, SESSION_COOKIE)}=${token}` };
}
