import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { SignalTopic } from '#contract/live.ts';
import { refreshPaths } from './api-query.ts';
import { watchSignals } from './live.ts';

/** Asks again for what came from these addresses when the server signals a change. */
export function useRefreshOn(topic: SignalTopic, ...paths: readonly string[]): void {
  const client = useQueryClient();
  const refresh = useEffectEvent(() => refreshPaths(client, ...paths));
  useEffect(
    () => watchSignals((changed) => void ((changed === topic || changed === 'all') && refresh())),
    [topic],
  );
}
