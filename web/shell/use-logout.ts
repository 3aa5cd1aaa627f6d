import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { describeRefusal } from '#web/lib/api/api.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { askThenLeave } from '#web/ui/overlays/back-closes.ts';
import { usePlayer } from '#web/player/use-player.ts';

export function useLogout(): () => void {
  const client = useQueryClient();
  const player = usePlayer();
  const [, navigate] = useLocation();
  const logout = async () => {
    // Pausing reports the progress while the session is still valid.
    player.pause();
    try {
      // Loaded here, because the first page never needs it.
      const { logoutMutation } = await import('#web/features/accounts/api.ts');
      const mutation = logoutMutation(client, () => navigate('/'));
      await client.getMutationCache().build(client, mutation).execute();
    } catch (error) {
      const description = describeRefusal(error, 'Failed to logout');
      showToast({ title: 'Error', description, variant: 'destructive' });
    }
  };
  return () => askThenLeave(() => void logout());
}
