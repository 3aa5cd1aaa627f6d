import type { Achievement } from '#contract/achievements.ts';

/** One toast for all of it: there is only ever one on the screen. */
export function nameNews(news: readonly Achievement[]): { title: string; description: string } {
  const [first] = news;
  if (first && news.length === 1)
    return { title: `Achievement earned: ${first.title}`, description: first.description };
  return {
    title: `${news.length} achievements earned`,
    description: news.map((item) => item.title).join(', '),
  };
}
