import type { Achievement } from '#contract/achievements.ts';

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
    description: news.map((item) => item.title).join(', '),
  };
}
