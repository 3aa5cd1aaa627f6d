import { useMutation } from '@tanstack/react-query';
import { describeFailure } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';
import { cardMutation } from './api.ts';
import { useLeaving } from './use-checkout.ts';

/** To the provider's page where the card is replaced. */
export function useCardUpdate(): { open: () => void; isBusy: boolean } {
  const { isLeaving, leave } = useLeaving();
  const update = useMutation({
    ...cardMutation,
    onSuccess: ({ url }) => leave(url),
    onError: (error) =>
      showToast({
        title: 'The card page cannot be reached',
        description: describeFailure(error, 'Check the connection and try again.'),
        variant: 'destructive',
      }),
  });
  const isBusy = update.isPending || isLeaving;
  return { open: () => void (isBusy || update.mutate()), isBusy };
}
