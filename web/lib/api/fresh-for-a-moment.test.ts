import { expect, it } from 'vitest';
import { keepFresh } from './fresh-for-a-moment.ts';
import { createQueryClient } from './query-client.ts';

it('an answer that was loaded ahead isn’t asked for again until a newer one arrives', async () => {
  const client = createQueryClient();
  const asked: string[] = [];
  const load = (name: string) =>
    client.fetchQuery({
      queryKey: [name],
      queryFn: () => {
        asked.push(name);
        return name;
      },
    });
  const before = Date.now() - 10;
  for (const name of ['ahead', 'other']) client.setQueryData([name], name, { updatedAt: before });
  keepFresh(client, ['ahead']);
  await Promise.all([load('ahead'), load('other')]);
  expect(asked).toEqual(['other']);

  client.setQueryData(['ahead'], 'changed', { updatedAt: before + 1 });
  await load('ahead');
  expect(asked).toEqual(['other', 'ahead']);
  client.clear();
});
