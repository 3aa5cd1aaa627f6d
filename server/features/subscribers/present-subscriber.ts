import { hasAccess } from '#contract/rules/access.ts';
import type { Subscriber } from '#contract/subscribers.ts';
import type { ListedUser, ListMoment } from './list-queries.ts';

function judgeAccess(paidThrough: number | null, { now, graceMs }: ListMoment) {
  if (!hasAccess(paidThrough, now, graceMs)) return 'free';
  return hasAccess(paidThrough, now, 0) ? 'active' : 'grace';
}

export const presentSubscriber = (user: ListedUser, moment: ListMoment): Subscriber => ({
  id: user.id,
  username: user.username,
  email: user.email,
  avatarUrl: user.avatar_key === null ? null : `/media/${user.avatar_key}`,
  createdAt: user.created_at,
  paidThrough: user.paid_through,
  access: judgeAccess(user.paid_through, moment),
  isAdmin: user.is_admin === 1,
  isDisabled: Boolean(user.is_disabled),
  isDemo: user.is_demo === 1,
});
