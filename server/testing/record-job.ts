import { z } from 'zod';
import { defineJob } from '../jobs/define-job.ts';
import type { WorkerDeps } from '../jobs/run-job.ts';

export type RecordDeps = WorkerDeps & {
  /** Where this process gets stuck, for the test to kill it there. */
  hangAt: 'run' | 'finish' | null;
  onHang: () => void;
  recordedBy: string;
};

const forever = (): Promise<never> => new Promise(() => undefined);

/** Leaves one row per completion; a second completion would break the primary key. */
export const recordJob = defineJob({
  name: 'record',
  payload: z.object({}),
  maxAttempts: 5,
  run: async ({ hangAt, onHang, recordedBy, clock }: RecordDeps, _payload, job) => {
    if (hangAt === 'run') {
      onHang();
      await forever();
    }
    await job.finish(async (tx) => {
      const text = { recipient: recordedBy, subject: '', body_text: '', body_html: '' };
      await tx
        .insertInto('outbox')
        .values({ id: job.id, created_at: clock.now(), ...text })
        .execute();
      if (hangAt !== 'finish') return;
      onHang();
      await forever();
    });
  },
});
