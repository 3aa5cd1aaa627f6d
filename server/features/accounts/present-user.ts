import type { User } from '#contract/accounts.ts';
import { hasAccess } from '#contract/rules/access.ts';
import { offlineUntil } from '#contract/rules/lease.ts';
import type { SessionUser } from '../../http/session-store.ts';

export const presentUser = (user: SessionUser, now: number): User => ({
  id: user.id,
  username: user.username,
  email: user.email,
  isSubscriber: hasAccess(user.paid_through, now),
  isAdmin: user.is_admin === 1,
  avatarUrl: user.avatar_key === null ? null : `/media/${user.avatar_key}`,
  offlineUntil: offlineUntil(user, now),
});
