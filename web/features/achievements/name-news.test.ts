import { expect, it } from 'vitest';
import type { Achievement } from '#contract/achievements.ts';
import { nameNews } from './name-news.ts';

const item = (title: string): Achievement => ({
  id: title,
  title,
  description: `How to ${title}.`,
  goal: 1,
  progress: 1,
  earnedAt: 1,
  isNew: true,
});

it('announces one achievement with its description, several by name', () => {
  expect(nameNews([item('Needle down')])).toEqual({
    title: 'Achievement earned: Needle down',
    description: 'How to Needle down.',
  });
  expect(nameNews([item('Needle down'), item('First heart')])).toEqual({
    title: '2 achievements earned',
    description: 'Needle down, First heart',
  });
});
