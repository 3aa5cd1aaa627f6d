import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { toRateLimitAddress } from '../../http/address.ts';
import { AppError } from '../../http/app-error.ts';
import { registerIsolatedPlugin } from '../../http/body-parsers.ts';
import { defineRateLimit, enforceRateLimits } from '../../http/rate-limit.ts';
import { isCardName } from '../../ports/payments/sandbox/cards.ts';
import type { CheckoutRow } from '../../ports/payments/sandbox/store.ts';
import { openSandbox, sandboxWork } from './jobs.ts';
import { readSiteLook } from '../../http/pages/web-page.ts';
import { buildSandboxPolicy, renderSandbox, type SandboxPage } from './page.ts';

const payByAddress = defineRateLimit({
  name: 'sandbox-pay-address',
  what: 'Test payments from one address',
  limit: 300,
  periodMs: 60_000,
});
const CHECKOUT = '/sandbox/checkout/:id';
const CARD = '/sandbox/card/:id';
type Params = { Params: { id: string } };

const Choice = z.object({
  card: z.string().refine(isCardName),
  answer: z.enum(['pay', 'cancel', 'yes', 'no']).default('pay'),
});

function parseChoice(body: unknown) {
  const choice = Choice.safeParse(
    typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : {},
  );
  if (!choice.success) throw new AppError('malformed_request', { message: 'Choose a test card.' });
  return choice.data;
}

const CONFIRMED = { pay: undefined, cancel: undefined, yes: true, no: false } as const;

const toBill = (row: CheckoutRow, now: number) => ({
  plan: row.plan,
  amount: row.amount,
  renewalAmount: row.renewal_amount,
  currency: row.currency,
  firstPaymentAt: row.first_charge_at > now ? row.first_charge_at : null,
});

/** The pages of the simulated provider. They need no session: the address is the secret. */
export function registerSandboxPages(app: FastifyInstance, deps: Deps) {
  const { config, clock, jobs } = deps;
  // Other providers have their own pages.
  if (config.payments.provider !== 'sandbox') return;
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

  const showCheckout = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    const row = await sandbox.findCheckout(request.params.id);
    if (!row) return sendExpired(reply);
    if (row.state === 'paid') return reply.redirect(row.success_url, 303);
    if (row.state === 'closed') return sendExpired(reply);
    const path = `/sandbox/checkout/${row.id}`;
    const bill = toBill(row, clock.now());
    return send(reply, { kind: 'pay', path, bill, problem: null, chosen: 'success' });
  };

  const submitCheckout = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    await limit(request);
    const { card, answer } = parseChoice(request.body);
    const row = await sandbox.findCheckout(request.params.id);
    if (!row) return sendExpired(reply);
    if (answer === 'cancel') {
      await sandbox.close(row.id);
      jobs.wake();
      return reply.redirect(row.cancel_url, 303);
    }
    const outcome = await sandbox.pay(row.id, { card, isConfirmed: CONFIRMED[answer] });
    jobs.wake();
    const path = `/sandbox/checkout/${row.id}`;
    const bill = toBill(row, clock.now());
    if (outcome.state === 'paid') return reply.redirect(row.success_url, 303);
    if (outcome.state === 'confirm') return send(reply, { kind: 'confirm', path, bill, card });
    if (outcome.state !== 'declined') return sendExpired(reply);
    const problem = outcome.message;
    return send(reply.code(402), { kind: 'pay', path, bill, problem, chosen: card });
  };

  const showCard = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    const { id } = request.params;
    const update = await sandbox.findCardUpdate(id);
    if (!update || update.subscription.status === 'ended') return sendExpired(reply);
    return send(reply, {
      kind: 'card',
      path: `/sandbox/card/${id}`,
      problem: null,
      chosen: update.subscription.card,
    });
  };

  const submitCard = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    await limit(request);
    const { card } = parseChoice(request.body);
    const update = await sandbox.findCardUpdate(request.params.id);
    if (!update || update.subscription.status === 'ended') return sendExpired(reply);
    const outcome = await sandbox.replaceCard(update.subscription.id, card);
    jobs.wake();
    if (outcome.state === 'replaced') return reply.redirect(update.returnUrl, 303);
    const path = `/sandbox/card/${request.params.id}`;
    const { message: problem } = outcome;
    return send(reply.code(402), { kind: 'card', path, problem, chosen: card });
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
    scope.get<Params>(CHECKOUT, showCheckout);
    scope.post<Params>(CHECKOUT, submitCheckout);
    scope.get<Params>(CARD, showCard);
    scope.post<Params>(CARD, submitCard);
  });
}
