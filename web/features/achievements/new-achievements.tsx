import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { watchSignals } from '#web/lib/api/live.ts';
import { showToast, toastStore } from '#web/lib/store/toasts.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { achievementsQuery, markSeen } from './api.ts';
import type { Achievement } from '#contract/achievements.ts';

/**
 * Announces each new achievement once: when the server signals it, or, if it is from an earlier visit,
 * when music first plays. In between, it doesn't ask the server.
 */
export function NewAchievements() {
  const client = useQueryClient();
  const isPlaying = usePlayerState((state) => state.isPlaying);
  const [hasPlayed, setHasPlayed] = useState(false);
  if (isPlaying && !hasPlayed) setHasPlayed(true);

  useEffect(() => {
    if (!hasPlayed) return;
    const announced = new Set<string>();
    let isGone = false;
    let wasHidden = false;

    async function announce(): Promise<void> {
      const data = await client.fetchQuery(achievementsQuery);
      await waitForOtherToasts();
      const news = (data?.items ?? []).filter(({ id, isNew }) => isNew && !announced.has(id));
      if (isGone || news.length === 0) return;
      for (const { id } of news) announced.add(id);
      // A toast may be on its way that isn't shown yet.
      showToast({ ...describeNewAchievements(news), canWait: true });
      await markSeen(news.map(({ id }) => id));
    }
    // If this fails, a later visit announces them.
    const tryToAnnounce = () => void announce().catch(() => undefined);

    tryToAnnounce();
    const onVisibilityChange = () => {
      wasHidden ||= document.visibilityState === 'hidden';
    };
    document.addEventListener('visibilitychange', onVisibilityChange);
    const stopWatching = watchSignals((topic) => {
      // Signals are missed while the page is hidden.
      if (topic !== 'me/achievements' && !(topic === 'all' && wasHidden)) return;
      wasHidden = false;
      tryToAnnounce();
    });
    return () => {
      isGone = true;
      stopWatching();
      document.removeEventListener('visibilitychange', onVisibilityChange);
    };
  }, [client, hasPlayed]);
  return null;
}

/** A persistent toast doesn't count, because it comes back by itself. */
const isToastShown = (): boolean => {
  const toast = toastStore.get();
  return Boolean(toast?.open && !toast.isPersistent);
};

const waitForOtherToasts = (): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (isToastShown()) return;
      stop();
      resolve();
    };
    const stop = toastStore.subscribe(check);
    check();
  });

const NAMED = 2;

/** `Needle down, First heart and 5 more`: more names would be too many to read. */
function joinSome(titles: readonly string[]): string {
  const others = titles.length - NAMED;
  const named = titles.slice(0, NAMED).join(', ');
  return others > 0 ? `${named} and ${others} more` : named;
}

/** One toast for all of them, since only one toast is shown at a time. */
export function describeNewAchievements(news: readonly Achievement[]): {
  title: string;
  description: string;
} {
  const [first] = news;
  if (first && news.length === 1)
    return { title: `New achievement: ${first.title}`, description: first.description };
  return {
    title: `${news.length} new achievements`,
    description: joinSome(news.map((item) => item.title)),
  };
}
