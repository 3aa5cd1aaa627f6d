import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { showToast, toastStore } from '#web/lib/toasts.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { achievementsQuery, markSeen } from './api.ts';
import { describeNewAchievements } from './describe-new-achievements.ts';

const CHECK_EVERY_MS = 30_000;

/**
 * Checks for new achievements while music plays and after every mutation, and announces them once,
 * when no other toast is open.
 */
export function NewAchievements() {
  const isPlaying = usePlayerState((state) => state.isPlaying);
  const client = useQueryClient();
  const check = useRef({ isPlaying: false, isDue: false });
  const announced = useRef(new Set<string>());
  const { refetch } = useQuery({ ...achievementsQuery, enabled: false });

  useEffect(() => {
    check.current = { isPlaying, isDue: isPlaying || check.current.isDue };
  }, [isPlaying]);

  useEffect(
    () =>
      client.getMutationCache().subscribe(({ mutation }) => {
        if (mutation?.state.status === 'success') check.current.isDue = true;
      }),
    [client],
  );

  useEffect(() => {
    async function checkAchievements(): Promise<void> {
      if (!check.current.isDue || toastStore.get()?.open) return;
      check.current.isDue = check.current.isPlaying;
      const { data } = await refetch();
      const news = (data?.items ?? []).filter(
        (item) => item.isNew && !announced.current.has(item.id),
      );
      if (news.length === 0) return;
      for (const { id } of news) announced.current.add(id);
      showToast(describeNewAchievements(news));
      await markSeen(news.map((item) => item.id));
    }
    // A check that fails is repeated with the next one.
    const timer = setInterval(
      () => void checkAchievements().catch(() => undefined),
      CHECK_EVERY_MS,
    );
    return () => clearInterval(timer);
  }, [refetch]);
  return null;
}
