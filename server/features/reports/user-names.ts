import type { Db } from '../../db/connect.ts';

const DELETED_ACCOUNT = 'Deleted account';

/** Rows stay when an account is deleted; the name doesn’t. */
export const formatUserName = ({ username }: { username: string | null }): string =>
  username ?? DELETED_ACCOUNT;

export const userHref = (userId: string | null): string | null =>
  userId === null ? null : `/admin/subscribers/${userId}`;

type NamedUser = { id: string; username: string; email: string };

export type NamedListener = { name: string; email: string | null; href: string | null };

export const deletedListener: NamedListener = { name: DELETED_ACCOUNT, email: null, href: null };

const userIdOf = (listener: string): string | null =>
  listener.startsWith('user:') ? listener.slice('user:'.length) : null;

const describeListener = (listener: string, user: NamedUser | undefined): NamedListener => {
  if (user) return { name: user.username, email: user.email, href: userHref(user.id) };
  return listener.startsWith('visitor:')
    ? { name: 'Visitor', email: null, href: null }
    : deletedListener;
};

/** Looks up listener keys, in the given order. */
export async function nameListeners(
  db: Db,
  listeners: readonly string[],
): Promise<NamedListener[]> {
  const ids = [...new Set(listeners.flatMap((listener) => userIdOf(listener) ?? []))];
  const users =
    ids.length === 0
      ? []
      : await db
          .selectFrom('users')
          .select(['id', 'username', 'email'])
          .where('id', 'in', ids)
          .execute();
  const byId = new Map(users.map((user) => [user.id, user]));
  return listeners.map((listener) =>
    describeListener(listener, byId.get(userIdOf(listener) ?? '')),
  );
}
