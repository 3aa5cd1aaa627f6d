import { useLocation } from 'wouter';
import { useCurrentUser } from '../api/current-user.ts';
import { findNext, plansPath } from './next-path.ts';
import { useQueryString } from './use-query-param.ts';

/** Where a visitor returns to after logging in or registering from this page. */
export function useNext(): string {
  const [path] = useLocation();
  const search = useQueryString();
  return findNext({ path, search });
}

/** Where "Upgrade to Premium" leads: to plans and prices that this viewer can open. */
export function useUpgradePath(): string {
  const { user } = useCurrentUser();
  const next = useNext();
  return user ? '/pricing' : plansPath(next);
}
