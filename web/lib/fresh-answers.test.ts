import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { askAgain, findAnswerTime, setFreshAnswer } from './fresh-answers.ts';

it('an answer that came ahead is fresh at first, and still says when it came', async () => {
  const client = new QueryClient();
  const asked: string[] = [];
  const query = (name: string) => ({
    queryKey: [name],
    staleTime: 0,
    queryFn: () => {
      asked.push(name);
      return name;
    },
  });
  const load = (name: string) => client.fetchQuery(query(name));
  const before = Date.now();
  setFreshAnswer(client, ['ahead'], 'ahead');
  client.setQueryData(['other'], 'other', { updatedAt: before });
  await Promise.all([load('ahead'), load('other')]);
  expect(asked).toEqual(['other']);
  const { dataUpdatedAt } = client.getQueryState(['ahead']) ?? { dataUpdatedAt: 0 };
  expect(findAnswerTime(dataUpdatedAt)).toBeGreaterThanOrEqual(before);
  expect(findAnswerTime(dataUpdatedAt)).toBeLessThanOrEqual(Date.now());
  expect(findAnswerTime(before)).toBe(before);

  // Unless someone has to know what the server says now.
  await askAgain(client, query('ahead'));
  expect(asked).toEqual(['other', 'ahead']);
  client.clear();
});
