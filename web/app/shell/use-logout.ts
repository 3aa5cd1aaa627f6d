import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { describeFailure } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';
import { usePlayer } from '#web/player/use-player.ts';

export function useLogout(): () => Promise<void> {
  const client = useQueryClient();
  const player = usePlayer();
  const [, navigate] = useLocation();
  return async () => {
    // What was heard is still told as the member; afterwards nobody would take it.
    player.pause();
    try {
      const { runLogout } = await import('./run-logout.ts');
      await runLogout(client, () => navigate('/'));
    } catch (error) {
      const description = describeFailure(error, 'Failed to logout');
      showToast({ title: 'Error', description, variant: 'destructive' });
    }
  };
}
