import { useEffect } from 'react';
import { useStore } from '#web/lib/store.ts';
import { keepStore, loadKept, type KeepState } from './keep-store.ts';

export function useKept(userId: string | undefined): KeepState {
  useEffect(() => {
    if (userId) void loadKept(userId);
  }, [userId]);
  return useStore(keepStore);
}
