import { z } from 'zod';
import type { JobSubject } from '#contract/admin/jobs.ts';
import type { Db } from '../../db/connect.ts';
import type { JobsTable } from '../../db/types/tables.ts';
import { loadSubjectNames } from './queries.ts';

const text = z.string().optional().catch(undefined);

/** The parts of payloads that say what a job is about; addresses and tokens are not among them. */
const Payload = z.object({
  trackId: text,
  trackIds: z.array(z.string()).optional().catch(undefined),
  userId: text,
  uploadId: text,
  event: text,
  message: z.object({ kind: z.string() }).optional().catch(undefined),
});
type Payload = z.output<typeof Payload>;

function readPayload({ payload }: Pick<JobsTable, 'payload'>): Payload {
  const read = Payload.safeParse(JSON.parse(payload));
  return read.success ? read.data : {};
}

const trackIdOf = ({ trackId, trackIds }: Payload) => trackId ?? trackIds?.[0];

/** What each job works on, in the given order. */
export async function describeSubjects(
  db: Db,
  jobs: readonly Pick<JobsTable, 'payload'>[],
): Promise<JobSubject[]> {
  const payloads = jobs.map(readPayload);
  const idsOf = (read: (payload: Payload) => string | undefined) => [
    ...new Set(payloads.flatMap((payload) => read(payload) ?? [])),
  ];
  const names = await loadSubjectNames(db, {
    tracks: idsOf(trackIdOf),
    users: idsOf(({ userId }) => userId),
    uploads: idsOf(({ uploadId }) => uploadId),
  });
  return payloads.map((payload) => {
    const { userId, uploadId, event, message } = payload;
    const trackId = trackIdOf(payload);
    const title = trackId === undefined ? undefined : names.titles.get(trackId);
    return {
      track: trackId === undefined || title === undefined ? null : { id: trackId, title },
      user: userId === undefined ? null : { id: userId, name: names.usernames.get(userId) ?? null },
      fileName: (uploadId && names.fileNames.get(uploadId)) ?? null,
      message: message?.kind ?? event ?? null,
    };
  });
}
