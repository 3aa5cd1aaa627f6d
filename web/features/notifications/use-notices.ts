import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { changeNoticesMutation } from './api.ts';
import { findNoticeSupport, hasOwnSubscription, type NoticeSupport } from './device.ts';

type Device = { support: NoticeSupport; isSubscribed: boolean };

/** What this browser says about release notices, and how to change it. */
export function useNotices() {
  const change = useMutation(changeNoticesMutation(useQueryClient()));
  /** Null until the browser was asked. */
  const [device, setDevice] = useState<Device | null>(null);
  const { isPending } = change;
  useEffect(() => {
    if (isPending) return;
    let isCurrent = true;
    const support = findNoticeSupport();
    const set = (isSubscribed: boolean) => isCurrent && setDevice({ support, isSubscribed });
    hasOwnSubscription().then(set, () => set(false));
    return () => {
      isCurrent = false;
    };
  }, [isPending]);
  return { device, isChanging: isPending, set: change.mutate };
}
