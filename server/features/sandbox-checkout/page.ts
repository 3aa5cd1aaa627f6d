import { formatMoney } from '#contract/rules/money.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { hashSource } from '../../http/security-headers.ts';
import { listCards } from '../../ports/payments/sandbox/cards.ts';
import { sandboxStyle } from './style.ts';

export const sandboxPolicy = `default-src 'none'; style-src ${hashSource(sandboxStyle)}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const PERIODS: Record<Plan, string> = { monthly: 'month', annual: 'year' };

export type Bill = {
  plan: Plan;
  amount: number;
  renewalAmount: number;
  currency: string;
  /** Null when it is due now. */
  firstPaymentAt: number | null;
};

export type SandboxPage =
  | { kind: 'pay'; path: string; bill: Bill; problem: string | null; chosen: string }
  | { kind: 'confirm'; path: string; bill: Bill; card: string }
  | { kind: 'card'; path: string; chosen: string }
  | { kind: 'gone' };

type Site = { siteName: string; timeZone: string };

function writeCards(chosen: string): string {
  const choices = listCards().map(
    ({ name, label, says, shown }) =>
      `<label><input type="radio" name="card" value="${name}"${name === chosen ? ' checked' : ''}><span>${label}</span><em>${shown.brand} ···· ${shown.last4}</em><small>${says}</small></label>`,
  );
  return `<fieldset><legend>Test card</legend>${choices.join('')}</fieldset>`;
}

const writeBill = (bill: Bill, timeZone: string): string => {
  const isLater = bill.firstPaymentAt !== null;
  const day = (time: number) =>
    new Intl.DateTimeFormat('en-ZA', { dateStyle: 'long', timeZone }).format(time);
  const money = (cents: number) => formatMoney(cents, bill.currency);
  const then = `${money(bill.renewalAmount)} every ${PERIODS[bill.plan]}, until it is cancelled`;
  const first = bill.amount > 0 ? bill.amount : bill.renewalAmount;
  return `<div class="due"><span>Due today</span><strong>${money(isLater ? 0 : bill.amount)}</strong></div>
<p class="then">${isLater ? `${money(first)} on ${day(bill.firstPaymentAt ?? 0)}, then ${then}.` : `Then ${then}.`}</p>`;
};

function writeMain(
  { siteName, timeZone }: Site,
  page: SandboxPage,
): { title: string; body: string } {
  if (page.kind === 'gone')
    return {
      title: 'This page is closed',
      body: '<p>It was used, left or is too old. Nothing was charged twice.</p><p><a href="/subscription">Back to your subscription</a></p>',
    };
  const path = escapeHtml(page.path);
  if (page.kind === 'card')
    return {
      title: 'Replace your card',
      body: `<p>The next payments are taken from the card you pick here.</p>
<form method="post" action="${path}">${writeCards(page.chosen)}<button>Use this card</button></form>`,
    };
  if (page.kind === 'confirm')
    return {
      title: 'Your bank asks',
      body: `<p>Did you want to pay ${escapeHtml(siteName)}?</p>${writeBill(page.bill, timeZone)}
<form method="post" action="${path}"><input type="hidden" name="card" value="${escapeHtml(page.card)}"><button name="answer" value="yes">Yes, confirm the payment</button><button class="quiet" name="answer" value="no">No, decline it</button></form>`,
    };
  return {
    title: `Pay ${escapeHtml(siteName)}`,
    body: `${writeBill(page.bill, timeZone)}${page.problem ? `<p class="alert" role="alert">${escapeHtml(page.problem)}</p>` : ''}
<form method="post" action="${path}">${writeCards(page.chosen)}<button name="answer" value="pay">Pay with this card</button><button class="quiet" name="answer" value="cancel">Go back without paying</button></form>`,
  };
}

/** Needs no script and no other file, as if somebody else had made it. */
export function renderSandbox(site: Site, page: SandboxPage): string {
  const { title, body } = writeMain(site, page);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Test payment</title><style>${sandboxStyle}</style></head>
<body><p class="mark"><strong>Test payment page.</strong> No money moves, and no card number is asked for.</p>
<main><h1>${title}</h1>${body}</main></body></html>`;
}
