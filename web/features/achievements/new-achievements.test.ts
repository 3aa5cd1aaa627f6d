import { expect, it } from 'vitest';
import type { Achievement } from '#contract/achievements.ts';
import { describeNewAchievements } from './new-achievements.tsx';

const item = (title: string): Achievement => ({
  id: title,
  title,
  description: `How to ${title}.`,
  goal: 1,
  unit: 'count',
  progress: 1,
  earnedAt: 1,
  isNew: true,
});

it('announces one achievement with its description, several by two names', () => {
  expect(describeNewAchievements([item('Needle down')])).toEqual({
    title: 'New achievement: Needle down',
    description: 'How to Needle down.',
  });
  expect(describeNewAchievements([item('Needle down'), item('First heart')])).toEqual({
    title: '2 new achievements',
    description: 'Needle down, First heart',
  });
  const many = ['Needle down', 'First heart', 'Ten plays', 'Night listener'].map(item);
  expect(describeNewAchievements(many)).toEqual({
    title: '4 new achievements',
    description: 'Needle down, First heart and 2 more',
  });
});
