import { useLocation, useRouter } from 'wouter';
import { useCurrentUser } from './current-user.ts';
import { findNext, plansPath } from './guard.ts';

/** Where a visitor returns to after logging in or registering from this page. */
export function useNext(): string {
  const [path] = useLocation();
  const router = useRouter();
  // As it is in the address: `useSearch` decodes it.
  const search = router.searchHook(router);
  return findNext({ path, search });
}

/** Where "Upgrade to Premium" leads: to plans and prices that this viewer can open. */
export function useUpgradePath(): string {
  const { user } = useCurrentUser();
  const next = useNext();
  return user ? '/pricing' : plansPath(next);
}
