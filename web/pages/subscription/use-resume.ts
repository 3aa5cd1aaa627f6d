import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { resumeMutation } from '#web/features/billing/subscription-changes.ts';

/** Takes a cancellation back. */
export function useResume(): () => Promise<void> {
  const { isPending, mutateAsync } = useMutation(resumeMutation(useQueryClient()));
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
