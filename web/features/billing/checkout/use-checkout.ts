import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Plan } from '#contract/rules/plans.ts';
import { ApiError, call } from '#web/lib/api/api.ts';
import { showErrorToast } from '#web/lib/store/toasts.ts';
import { saveCheckoutHandoff } from '#web/player/session/checkout-handoff.ts';
import { tryOrUndefined } from '#web/player/session/persistence.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { checkoutMutation, refreshAccess } from '#web/features/billing/api.ts';
import { saveCheckoutNext } from './checkout-next.ts';
import type { CheckoutIntent } from './checkout-path.ts';
import { describeCheckoutFailure, type CheckoutFailure } from './checkout-failure.ts';

/** If the browser is still here after this, the redirect has failed and the button works again. */
const REDIRECT_LIMIT_MS = 15_000;

/** Redirects to a page of the payment provider, and resets when the user comes back from it. */
export function useRedirect() {
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    if (!isLeaving) return;
    const reset = () => setLeaving(false);
    // The back button may restore this very page, in the state it was left in.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && reset();
    const timer = setTimeout(reset, REDIRECT_LIMIT_MS);
    window.addEventListener('pageshow', onShow);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pageshow', onShow);
    };
  }, [isLeaving]);
  return {
    isLeaving,
    redirect(url: string): void {
      setLeaving(true);
      window.location.assign(url);
    },
  };
}

/** Pages that show an offer and read the plan and the code from their address. */
const OFFER_PAGES = ['/pricing', '/subscription'];

/** The address of an offer with this plan and code, for coming back to it; null on other pages. */
export function keepCheckout(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  { plan, coupon }: Pick<CheckoutIntent, 'plan' | 'coupon'>,
): string | null {
  if (!OFFER_PAGES.includes(pathname)) return null;
  const query = new URLSearchParams(search);
  query.set('plan', plan);
  if (coupon) query.set('code', coupon);
  else query.delete('code');
  query.delete('checkout');
  return `${pathname}?${query}`;
}

/** Starts one checkout, however often the button is pressed. */
export function useCheckout(userId: string | undefined) {
  const client = useQueryClient();
  const player = usePlayer();
  const checkout = useMutation(checkoutMutation);
  const { isLeaving, redirect } = useRedirect();
  const [failure, setFailure] = useState<CheckoutFailure | null>(null);
  const isStarting = useRef(false);

  async function start(plan: Plan, coupon: string | null, next: string | null): Promise<void> {
    if (isStarting.current || isLeaving || !userId) return;
    isStarting.current = true;
    setFailure(null);
    try {
      const { url } = await checkout.mutateAsync({ plan, ...(coupon && { coupon }) });
      tryOrUndefined(() =>
        saveCheckoutHandoff(sessionStorage, player.store.get(), userId, Date.now()),
      );
      if (next !== null)
        tryOrUndefined(() =>
          saveCheckoutNext(sessionStorage, { owner: userId, path: next }, Date.now()),
        );
      // Back leads here again, with the same plan and code.
      const kept = keepCheckout(window.location, { plan, coupon });
      if (kept !== null) history.replaceState(history.state, '', kept);
      redirect(url);
    } catch (error) {
      const described = describeCheckoutFailure(error);
      setFailure(described);
      if (described.link) void refreshAccess(client);
    } finally {
      isStarting.current = false;
    }
  }

  return { start, failure, isBusy: checkout.isPending || isLeaving };
}

/** Opens a page of the provider that a route gives the address of. */
function useProviderPage(
  getUrl: () => Promise<{ url: string }>,
  failedTitle: string,
): { open: () => void; isBusy: boolean } {
  const client = useQueryClient();
  const { isLeaving, redirect } = useRedirect();
  const page = useMutation({
    mutationFn: getUrl,
    retry: false,
    onSuccess: ({ url }) => redirect(url),
    onError: (error) => {
      showErrorToast(error, 'Check your connection and try again.', failedTitle);
      // It may have been paid or cancelled in another tab.
      if (error instanceof ApiError && error.status === 409) void refreshAccess(client);
    },
  });
  const isBusy = page.isPending || isLeaving;
  return { open: () => void (isBusy || page.mutate()), isBusy };
}

/** Where the user can replace the card. */
export const useCardPage = () =>
  useProviderPage(() => call('POST /api/subscription/card'), 'We can’t open the card page');

/** Where the user pays what is owed. */
export const usePayPage = () =>
  useProviderPage(() => call('POST /api/subscription/pay'), 'We can’t open the payment page');
