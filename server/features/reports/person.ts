import type { Db } from '../../db/connect.ts';

const LEFT = 'Somebody who has left';

/** Rows stay when somebody leaves; who it was does not. */
export const nameOfPerson = ({ username }: { username: string | null }): string => username ?? LEFT;

export const hrefOfPerson = (userId: string | null): string | null =>
  userId === null ? null : `/admin/subscribers/${userId}`;

export type Person = { id: string; username: string; email: string };
export type NamedListener = { name: string; email: string | null; href: string | null };

export const somebodyGone: NamedListener = { name: LEFT, email: null, href: null };

const idOf = (listener: string): string | null =>
  listener.startsWith('user:') ? listener.slice('user:'.length) : null;

/** A visitor is a browser, and nothing else is known of it. */
const describeListener = (listener: string, person: Person | undefined): NamedListener => {
  if (person) return { name: person.username, email: person.email, href: hrefOfPerson(person.id) };
  return listener.startsWith('visitor:')
    ? { name: 'A visitor', email: null, href: null }
    : somebodyGone;
};

/** Those who are counted as listeners, in the order they are given. */
export async function nameListeners(
  db: Db,
  listeners: readonly string[],
): Promise<NamedListener[]> {
  const ids = [...new Set(listeners.flatMap((listener) => idOf(listener) ?? []))];
  const people =
    ids.length === 0
      ? []
      : await db
          .selectFrom('users')
          .select(['id', 'username', 'email'])
          .where('id', 'in', ids)
          .execute();
  const byId = new Map(people.map((person) => [person.id, person]));
  return listeners.map((listener) => describeListener(listener, byId.get(idOf(listener) ?? '')));
}
