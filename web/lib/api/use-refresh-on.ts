import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SignalTopic } from '#contract/live.ts';
import { watchSignals } from './live.ts';

/** Refetches the queries with this key when the server signals a change. */
export function useRefreshOn(topic: SignalTopic, key: string): void {
  const client = useQueryClient();
  useEffect(
    () =>
      watchSignals((changed) => {
        if (changed === topic || changed === 'all')
          void client.invalidateQueries({ queryKey: [key], refetchType: 'active' });
      }),
    [client, topic, key],
  );
}
