import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { failureMessage, logoutMutation } from '#web/features/accounts/api.ts';
import { showToast } from '#web/lib/toasts.ts';

export function useLogout() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const options = logoutMutation(client);
  return useMutation({
    ...options,
    onSuccess: async (...args) => {
      navigate('/');
      await options.onSuccess?.(...args);
    },
    onError: (error) =>
      showToast({
        title: 'Error',
        description: failureMessage(error, 'Failed to logout'),
        variant: 'destructive',
      }),
  });
}
