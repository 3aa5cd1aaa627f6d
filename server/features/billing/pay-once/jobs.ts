import { MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import { defineSchedule } from '../../../jobs/define-job.ts';
import { enqueueGiftMail } from './gift-mail.ts';

/** So many at a time: the rest follows within minutes. */
const BATCH = 200;

/** Sends each gift on its morning, once, or as soon as it is paid for after that. */
export const sendGifts = defineSchedule({
  name: 'send-gifts',
  lane: 'mail',
  everyMs: 5 * MINUTE,
  run: async ({ database, clock, jobs }: Deps) => {
    const now = clock.now();
    const due = await database.db
      .selectFrom('gifts')
      .select('id')
      .where('send_at', '<=', now)
      .where('sent_at', 'is', null)
      .where('paid_at', 'is not', null)
      .where('void_at', 'is', null)
      .where('redeemed_at', 'is', null)
      .orderBy('send_at')
      .limit(BATCH)
      .execute();
    for (const { id } of due)
      await database.db.transaction().execute(async (tx) => {
        const claimed = await tx
          .updateTable('gifts')
          .set({ sent_at: now })
          .where('id', '=', id)
          .where('sent_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (claimed) await enqueueGiftMail(tx, { giftId: id, kind: 'gift', key: 'first' }, now);
      });
    jobs.wake();
  },
});
