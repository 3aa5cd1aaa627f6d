import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SignalTopic } from '#contract/live.ts';
import { onSignal } from './live.ts';

/** Asks again for what stands under this key whenever the server says that it has changed. */
export function useRefreshOn(topic: SignalTopic, key: string): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onSignal((said) => {
        if (said === topic || said === 'all')
          void client.invalidateQueries({ queryKey: [key], refetchType: 'active' });
      }),
    [client, topic, key],
  );
}
