import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { toRateLimitAddress } from '../../http/route/address.ts';
import { AppError } from '../../http/route/app-error.ts';
import { registerIsolatedPlugin } from '../../http/route/body-parsers.ts';
import { defineRateLimit, enforceRateLimits } from '../../http/route/rate-limit.ts';
import { isBankName, isCardName } from '../../ports/payments/sandbox/ways-to-pay.ts';
import type { PageRow } from '../../ports/payments/sandbox/sandbox.ts';
import type { Choice } from '../../ports/payments/sandbox/take-payments.ts';
import { openSandbox, sandboxWork } from './jobs.ts';
import { readSiteLook } from '../../http/pages/web-page.ts';
import { shortenSchedules } from './shorten-schedules.ts';
import { buildSandboxPolicy, renderSandbox, type SandboxPage } from './page.ts';

const payByAddress = defineRateLimit({
  name: 'sandbox-pay-address',
  what: 'Test payments from one address',
  limit: 300,
  periodMs: 60_000,
});
const PAGE = '/sandbox/checkout/:id';
type Params = { Params: { id: string } };

const Answer = z.object({
  method: z.string().default(''),
  answer: z.enum(['pay', 'cancel', 'yes', 'no', 'arrive', 'fail']).default('pay'),
});

function parseAnswer(body: unknown) {
  const parsed = Answer.safeParse(
    typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : {},
  );
  if (!parsed.success) throw new AppError('malformed_request', { message: 'Press a button.' });
  return parsed.data;
}

/** What the bank's page answered; undefined before it was shown. */
const CONFIRMED: Record<string, boolean> = { yes: true, no: false };

function toChoice(method: string, answer: string, { saves_card }: PageRow): Choice {
  if (isCardName(method)) return { card: method, isConfirmed: CONFIRMED[answer] };
  if (isBankName(method) && saves_card === 0) return { bank: method };
  throw new AppError('malformed_request', { message: 'Choose a way to pay.' });
}

const toBill = (row: PageRow) => ({
  amount: row.amount,
  currency: row.currency,
  description: row.description,
  savesCard: row.saves_card === 1,
});

/** The pages of the simulated provider. They need no session: the address is the secret. */
export function registerSandboxPages(app: FastifyInstance, deps: Deps) {
  const { config, clock, jobs } = deps;
  // Other providers have their own pages.
  if (config.payments.provider !== 'sandbox') return;
  shortenSchedules(app, deps);
  const { siteName, timeZone } = config;
  const sandbox = openSandbox(deps, sandboxWork);
  const look = readSiteLook(config.webRoot);
  const policy = buildSandboxPolicy(look);

  const send = (reply: FastifyReply, page: SandboxPage) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'no-store',
      })
      .send(renderSandbox({ siteName, timeZone, look }, page));
  const sendExpired = (reply: FastifyReply) => send(reply.code(404), { kind: 'expired' });

  const limit = (request: FastifyRequest) =>
    enforceRateLimits(
      deps.database.db,
      [{ rule: payByAddress, subject: toRateLimitAddress(request.ip) }],
      clock.now(),
    );

  const show = (reply: FastifyReply, row: PageRow) => {
    const path = `/sandbox/checkout/${row.id}`;
    const bill = toBill(row);
    if (row.state === 'paid') return reply.redirect(row.success_url, 303);
    if (row.state === 'pending') {
      const { due_at: dueAt, success_url: successUrl } = row;
      return send(reply, { kind: 'pending', path, bill, dueAt, successUrl });
    }
    if (row.state !== 'open') return sendExpired(reply);
    return send(reply, {
      kind: 'pay',
      path,
      bill,
      problem: null,
      chosen: bill.savesCard ? 'success' : 'eft-paid',
    });
  };

  const showPage = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    const row = await sandbox.findPage(request.params.id);
    return row ? show(reply, row) : sendExpired(reply);
  };

  const pay = async (
    reply: FastifyReply,
    row: PageRow,
    { method, answer }: z.infer<typeof Answer>,
  ) => {
    const outcome = await sandbox.pay(row.id, toChoice(method, answer, row));
    const path = `/sandbox/checkout/${row.id}`;
    const bill = toBill(row);
    switch (outcome.state) {
      case 'paid':
      case 'pending':
        return reply.redirect(row.success_url, 303);
      case 'confirm':
        return send(reply, { kind: 'confirm', path, bill, method });
      case 'declined': {
        const problem = outcome.message;
        return send(reply.code(402), { kind: 'pay', path, bill, problem, chosen: method });
      }
      case 'failed':
      case 'unknown':
        return sendExpired(reply);
    }
  };

  const submitPage = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    await limit(request);
    const form = parseAnswer(request.body);
    const row = await sandbox.findPage(request.params.id);
    if (!row) return sendExpired(reply);
    try {
      switch (form.answer) {
        case 'cancel':
          await sandbox.close(row.id);
          return await reply.redirect(row.cancel_url, 303);
        case 'arrive':
        case 'fail':
          await sandbox.decide(row.id, form.answer === 'arrive' ? 'paid' : 'failed');
          return await reply.redirect(row.success_url, 303);
        case 'pay':
        case 'yes':
        case 'no':
          return await pay(reply, row, form);
      }
    } finally {
      jobs.wake();
    }
  };

  registerIsolatedPlugin(app, (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, body, ready) => ready(null, body),
    );
    // PostgreSQL refuses to look for a text with a NUL.
    scope.addHook<{ Params: { id: string } }>('preHandler', async (request, reply) =>
      /^[\w-]{1,64}$/.test(request.params.id) ? undefined : sendExpired(reply),
    );
    scope.get<Params>(PAGE, showPage);
    scope.post<Params>(PAGE, submitPage);
  });
}
