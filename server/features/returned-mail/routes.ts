import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Email } from '#contract/accounts.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { toRateLimitAddress } from '../../http/route/address.ts';
import { AppError } from '../../http/route/app-error.ts';
import { acceptJson, registerIsolatedPlugin } from '../../http/route/body-parsers.ts';
import { defineRateLimit, enforceRateLimits } from '../../http/route/rate-limit.ts';
import { parseRequest } from '../../http/route/validation.ts';
import { toReason } from '../../ports/mail/find-mail-problem.ts';
import { findSentMessage } from '../../ports/mail/message-ids.ts';
import { REPORT_KINDS } from './parse-report.ts';
import { readReport, recordReports } from './service.ts';

const BODY_LIMIT = 512 * 1024;

const refusedByAddress = defineRateLimit({
  name: 'refused-mail-webhook',
  what: 'Reports about e-mails without the secret, from one address',
  limit: 60,
  periodMs: HOUR,
});

/** From whoever has the secret, so it needs no proof. */
const Report = z.strictObject({
  address: Email,
  kind: z.enum(REPORT_KINDS, 'Use permanent, temporary or complaint.'),
  messageId: z.string().max(500).optional(),
  reason: z.string().max(2000).optional(),
});

/** An e-mail that came back, whole, or what a provider says about one. */
async function receive(deps: Deps, body: unknown) {
  const { database, clock } = deps;
  const at = clock.now();
  if (Buffer.isBuffer(body)) {
    const { outcome, reports } = await readReport(deps, body, { source: 'webhook', at });
    await recordReports(deps, reports);
    return { outcome };
  }
  const { address, kind, messageId, reason } = parseRequest([
    { name: 'body', schema: Report, value: body },
  ]).body as z.output<typeof Report>;
  const sent = await findSentMessage(database.db, [messageId ?? ''], [address]);
  const report = {
    email: address,
    kind,
    reason: toReason(reason ?? 'Reported by the mail provider'),
    source: 'webhook' as const,
    at,
    messageHash: sent?.messageHash ?? null,
  };
  await recordReports(deps, [report]);
  return { outcome: 'recorded' };
}

const digest = (text: string) => hash('sha256', text, 'buffer');

/** Without the setting there is nothing at this address. */
export function registerMailWebhook(app: FastifyInstance, deps: Deps) {
  const { mailWebhookSecret } = deps.config;
  if (mailWebhookSecret === null) return;
  const expected = digest(`Bearer ${mailWebhookSecret}`);
  registerIsolatedPlugin(app, (scope) => {
    acceptJson(scope);
    scope.addContentTypeParser(
      'message/rfc822',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, body),
    );
    // Before the body is read.
    scope.addHook('onRequest', async ({ headers, ip }) => {
      if (timingSafeEqual(digest(headers.authorization ?? ''), expected)) return;
      const use = { rule: refusedByAddress, subject: toRateLimitAddress(ip) };
      await enforceRateLimits(deps.database.db, [use], deps.clock.now());
      throw new AppError('unauthenticated', { message: 'This isn’t MAIL_WEBHOOK_SECRET.' });
    });
    scope.post('/api/webhooks/mail', { bodyLimit: BODY_LIMIT }, ({ body }) => receive(deps, body));
  });
}
