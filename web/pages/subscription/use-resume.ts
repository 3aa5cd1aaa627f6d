import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { call } from '#web/lib/api/api.ts';
import { subscriptionMutation } from '#web/features/billing/subscription-changes.ts';

/** Takes a cancellation back. */
export function useResume(): () => Promise<void> {
  const { isPending, mutateAsync } = useMutation(
    subscriptionMutation(useQueryClient(), () => call('POST /api/subscription/resume')),
  );
  return async () => {
    if (isPending) return;
    try {
      await mutateAsync();
      showToast({ title: 'Subscription resumed' });
    } catch (error) {
      showErrorToast(
        error,
        'Check your connection and try again.',
        'Couldn’t resume your subscription',
      );
    }
  };
}
