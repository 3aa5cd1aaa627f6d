import type { MailPreview } from '#contract/admin/mails.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { countWaitingBulkMail } from '../../jobs/bulk-mail.ts';
import { readMailPace } from '../../ports/mail/mail-pace.ts';
import { readMailSite, sendNow } from '../mails/service.ts';
import { countReaders } from '../releases/service.ts';

type Wanted = {
  name: string;
  words: Parameters<typeof readMailSite>[1];
  track?: string | undefined;
};

/** Loaded when somebody asks: pages never need them. */
const openSamples = () => import('./list-samples.ts');

export async function listMails(deps: Deps, viewer: Viewer) {
  const { listSamples } = await openSamples();
  const samples = listSamples(deps, await readMailSite(deps), { viewer });
  const mails = await Promise.all(
    samples.map(async ({ name, group, write }) => ({
      name,
      group,
      subject: (await write()).subject,
    })),
  );
  return { mails };
}

/** How long it takes follows from this and the setting, also from one that isn’t saved. */
export async function readPace(deps: Deps) {
  const { database, clock } = deps;
  const now = clock.now();
  const { pausedUntil, pauseReason } = await readMailPace(database.db, now);
  return {
    members: await countReaders(deps),
    waiting: await countWaitingBulkMail(database.db),
    pause: pausedUntil > now ? { until: pausedUntil, reason: pauseReason ?? '' } : null,
  };
}

async function writeMail(deps: Deps, viewer: Viewer, { name, words, track }: Wanted) {
  const { listSamples } = await openSamples();
  const samples = listSamples(deps, await readMailSite(deps, words), { viewer, trackId: track });
  const sample = samples.find((each) => each.name === name);
  if (!sample) throw new AppError('not_found');
  return sample.write();
}

export async function previewMail(
  deps: Deps,
  viewer: Viewer,
  wanted: Wanted,
): Promise<MailPreview> {
  const { to, subject, html, text } = await writeMail(deps, viewer, wanted);
  return { name: wanted.name, from: deps.config.smtp?.from ?? null, to, subject, html, text };
}

export async function sendSampleMail(deps: Deps, viewer: Viewer, wanted: Wanted) {
  const message = await writeMail(deps, viewer, wanted);
  return sendNow(deps, { ...message, to: viewer.user.email });
}
