import type { User } from '#contract/accounts.ts';
import { hasAccess } from '#contract/rules/access.ts';
import { offlineUntil } from '#contract/rules/lease.ts';
import type { Deps } from '../../deps.ts';
import type { SessionUser } from '../../http/session-store.ts';
import { readGraceMs } from '../../http/access-policy.ts';

export async function presentUser(deps: Deps, user: Omit<SessionUser, 'grace_ms'>): Promise<User> {
  const now = deps.clock.now();
  const grace_ms = await readGraceMs(deps);
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    isSubscriber: hasAccess(user.paid_through, now, grace_ms),
    isAdmin: user.is_admin === 1,
    avatarUrl: user.avatar_key === null ? null : `/media/${user.avatar_key}`,
    offlineUntil: offlineUntil({ ...user, grace_ms }, now),
  };
}
