import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { describeFailure } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';

export function useLogout(): () => Promise<void> {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return async () => {
    try {
      const { runLogout } = await import('./run-logout.ts');
      await runLogout(client, () => navigate('/'));
    } catch (error) {
      const description = describeFailure(error, 'Failed to logout');
      showToast({ title: 'Error', description, variant: 'destructive' });
    }
  };
}
