import { expect, it } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
import { buildMessageId, findSentMessage, hashMessageKey, listMessageIds } from './message-ids.ts';

it('proves which message went to which address, and belongs to no other', async () => {
  const { db, close } = await createTestDatabase();
  const id = `<${await buildMessageId(db, 'receipt:1', 'Thandi@example.com')}@music.example>`;
  const find = (ids: string[], ...emails: string[]) => findSentMessage(db, ids, emails);
  expect(await find(['<x@y>', id], 'sipho@example.com', 'thandi@EXAMPLE.com')).toEqual({
    email: 'thandi@EXAMPLE.com',
    messageHash: hashMessageKey('receipt:1'),
  });
  expect(await find([id], 'sipho@example.com')).toBeNull();
  const other = id.replace(/^<[0-9a-f]{32}/, `<${hashMessageKey('receipt:2')}`);
  expect(await find([other], 'thandi@example.com')).toBeNull();
  expect(await find(['<0123@elsewhere.example>'], 'thandi@example.com')).toBeNull();
  expect(await find(listMessageIds(`In-Reply-To: ${id}`), 'thandi@example.com')).not.toBeNull();
  expect(id).not.toContain('thandi');
  await close();
});
