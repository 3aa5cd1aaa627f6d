import { z } from 'zod';
import type { JobSubject } from '#contract/admin/jobs.ts';
import type { Db } from '../../db/connect.ts';
import type { JobsTable } from '../../db/types/tables.ts';
import { findOwners, loadSubjectNames, type Owner } from './queries.ts';

const text = z.string().optional().catch(undefined);

/** The parts of payloads that say what a job is about; addresses and tokens are not among them. */
const Payload = z.object({
  trackId: text,
  trackIds: z.array(z.string()).optional().catch(undefined),
  userId: text,
  uploadId: text,
  letterId: text,
  /** Of a payment, of its charge and of a card: they belong to somebody. */
  reference: text,
  chargeId: text,
  methodId: text,
  event: text,
  kind: text,
  message: z.object({ kind: z.string() }).optional().catch(undefined),
  /** Of what `ID_OF` says. */
  id: text,
});
type Payload = z.output<typeof Payload> & { clipId?: string | undefined };

type Job = Pick<JobsTable, 'name' | 'payload'>;

/** Jobs that call what they are about just `id`. */
const ID_OF: Record<string, 'clipId' | 'letterId'> = {
  'cut-clip': 'clipId',
  'start-letter': 'letterId',
};

function readPayload({ name, payload }: Job): Payload {
  const read = Payload.safeParse(JSON.parse(payload)).data ?? {};
  const field = ID_OF[name];
  return field ? { ...read, [field]: read.id } : read;
}

type IdField = Exclude<keyof Payload, 'trackIds' | 'message'>;

const listIds = (payloads: readonly Payload[], field: IdField) => [
  ...new Set(payloads.flatMap((payload) => payload[field] ?? [])),
];

/** With the track and the user that it doesn’t name itself. */
async function completePayloads(db: Db, payloads: readonly Payload[]): Promise<Payload[]> {
  const owners = await findOwners(db, {
    clips: listIds(payloads, 'clipId'),
    references: listIds(payloads, 'reference'),
    charges: listIds(payloads, 'chargeId'),
    methods: listIds(payloads, 'methodId'),
  });
  return payloads.map((payload) => {
    const { clipId = '', reference = '', chargeId = '', methodId = '' } = payload;
    const owner: Owner | undefined =
      owners.clips.get(clipId) ??
      owners.references.get(reference) ??
      owners.charges.get(chargeId) ??
      owners.methods.get(methodId);
    return {
      ...payload,
      userId: payload.userId ?? owner?.userId,
      trackId: payload.trackId ?? payload.trackIds?.[0] ?? owner?.trackId,
    };
  });
}

/** What each job works on, in the given order. */
export async function describeSubjects(db: Db, jobs: readonly Job[]): Promise<JobSubject[]> {
  const payloads = await completePayloads(db, jobs.map(readPayload));
  const names = await loadSubjectNames(db, {
    tracks: listIds(payloads, 'trackId'),
    users: listIds(payloads, 'userId'),
    uploads: listIds(payloads, 'uploadId'),
    letters: listIds(payloads, 'letterId'),
  });
  return payloads.map(({ trackId, userId, uploadId, letterId, event, kind, message }) => {
    const title = trackId === undefined ? undefined : names.titles.get(trackId);
    const subject = letterId === undefined ? undefined : names.letters.get(letterId);
    return {
      track: trackId === undefined || title === undefined ? null : { id: trackId, title },
      user: userId === undefined ? null : { id: userId, name: names.usernames.get(userId) ?? null },
      fileName: (uploadId && names.fileNames.get(uploadId)) ?? null,
      letter: letterId === undefined || subject === undefined ? null : { id: letterId, subject },
      message: message?.kind ?? event ?? kind ?? null,
    };
  });
}
