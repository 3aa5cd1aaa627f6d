import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { showToast, toastStore } from '#web/lib/toasts.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { achievementsQuery, markSeen } from './api.ts';
import { nameNews } from './name-news.ts';

const LOOK_EVERY_MS = 30_000;

/**
 * While music plays, and after whatever else can earn something, looks for what was earned and tells
 * it once, when no other message is read.
 */
export function AchievementNews() {
  const isPlaying = usePlayerState((state) => state.isPlaying);
  const client = useQueryClient();
  const reason = useRef({ isPlaying: false, isThere: false });
  const told = useRef(new Set<string>());
  const { refetch } = useQuery({ ...achievementsQuery, enabled: false });

  useEffect(() => {
    reason.current = { isPlaying, isThere: isPlaying || reason.current.isThere };
  }, [isPlaying]);

  useEffect(
    () =>
      client.getMutationCache().subscribe(({ mutation }) => {
        if (mutation?.state.status === 'success') reason.current.isThere = true;
      }),
    [client],
  );

  useEffect(() => {
    async function look(): Promise<void> {
      if (!reason.current.isThere || toastStore.get()?.open) return;
      reason.current.isThere = reason.current.isPlaying;
      const { data } = await refetch();
      const news = (data?.items ?? []).filter((item) => item.isNew && !told.current.has(item.id));
      if (news.length === 0) return;
      for (const { id } of news) told.current.add(id);
      showToast(nameNews(news));
      await markSeen(news.map((item) => item.id));
    }
    // A look that fails is made again with the next one.
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [refetch]);
  return null;
}
