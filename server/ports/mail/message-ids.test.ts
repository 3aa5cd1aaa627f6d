import { expect, it } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
import { buildMessageId, hashMessageKey, verifyMessageId } from './message-ids.ts';

it('proves which message went to which address, and belongs to no other', async () => {
  const { db, close } = await createTestDatabase();
  const id = `<${await buildMessageId(db, 'receipt:1', 'Thandi@example.com')}@music.example>`;
  expect(await verifyMessageId(db, id, 'thandi@EXAMPLE.com')).toBe(hashMessageKey('receipt:1'));
  expect(await verifyMessageId(db, id, 'sipho@example.com')).toBeNull();
  const other = id.replace(/^<[0-9a-f]{32}/, `<${hashMessageKey('receipt:2')}`);
  expect(await verifyMessageId(db, other, 'thandi@example.com')).toBeNull();
  expect(await verifyMessageId(db, '<0123@elsewhere.example>', 'thandi@example.com')).toBeNull();
  expect(id).not.toContain('thandi');
  await close();
});
