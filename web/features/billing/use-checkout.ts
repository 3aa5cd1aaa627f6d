import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Plan } from '#contract/rules/plans.ts';
import { carryPlayer } from '#web/player/carried.ts';
import { attempt } from '#web/player/persistence.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { checkoutMutation, refreshAccess } from './api.ts';
import { describeCheckoutFailure, type Failure } from './checkout-failure.ts';

/** A page that has not left by then is not going to: its button works again. */
const LEAVING_LIMIT_MS = 15_000;

/** Leaves for a page of the provider's, and is itself again when somebody comes back from it. */
export function useLeaving() {
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    if (!isLeaving) return;
    const stay = () => setLeaving(false);
    // Going back brings the very same page, with everything on it as it was left.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && stay();
    const timer = setTimeout(stay, LEAVING_LIMIT_MS);
    window.addEventListener('pageshow', onShow);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pageshow', onShow);
    };
  }, [isLeaving]);
  return {
    isLeaving,
    leave(url: string): void {
      setLeaving(true);
      window.location.assign(url);
    },
  };
}

/** From a plan to the provider's page, once however often the button is pressed. */
export function useCheckout(userId: string | undefined) {
  const client = useQueryClient();
  const player = usePlayer();
  const checkout = useMutation(checkoutMutation);
  const { isLeaving, leave } = useLeaving();
  const [failure, setFailure] = useState<Failure | null>(null);
  const isBegun = useRef(false);

  async function begin(plan: Plan, coupon: string | null): Promise<void> {
    if (isBegun.current || isLeaving || !userId) return;
    isBegun.current = true;
    setFailure(null);
    try {
      const { url } = await checkout.mutateAsync({ plan, ...(coupon && { coupon }) });
      attempt(() => carryPlayer(sessionStorage, player.store.get(), userId, Date.now()));
      leave(url);
    } catch (error) {
      const told = describeCheckoutFailure(error);
      setFailure(told);
      if (told.way) void refreshAccess(client);
    } finally {
      isBegun.current = false;
    }
  }

  return { begin, failure, isBusy: checkout.isPending || isLeaving };
}
