import { formatDate, formatMoney } from '#contract/rules/format.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { hashSource } from '../../http/security-headers.ts';
import { listCards } from '../../ports/payments/sandbox/cards.ts';

/** The site's colours and shapes, inline so that the page needs no other file. */
const sandboxStyle = `
:root{color-scheme:dark;--bg:oklch(0.158 0.008 62);--surface:oklch(0.187 0.009 62);--raised:oklch(0.222 0.010 62);--line:oklch(0.292 0.012 62);--line-strong:oklch(0.535 0.014 70);--text:oklch(0.955 0.014 85);--text-2:oklch(0.815 0.014 80);--text-3:oklch(0.695 0.014 75);--action:oklch(0.945 0.020 85);--on-action:oklch(0.185 0.010 62);--danger:oklch(0.735 0.155 25);--warning:oklch(0.835 0.140 78)}
@media (prefers-color-scheme:light){:root{color-scheme:light;--bg:oklch(0.962 0.012 85);--surface:oklch(0.982 0.008 85);--raised:oklch(0.935 0.014 85);--line:oklch(0.880 0.016 82);--line-strong:oklch(0.600 0.016 75);--text:oklch(0.205 0.012 62);--text-2:oklch(0.370 0.014 65);--text-3:oklch(0.465 0.014 68);--action:oklch(0.205 0.012 62);--on-action:oklch(0.975 0.010 85);--danger:oklch(0.500 0.180 27);--warning:oklch(0.490 0.100 72)}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.5 "Instrument Sans Variable",system-ui,sans-serif}
.mark{margin:0;padding:12px 16px;text-align:center;font-size:14px;color:var(--bg);background:var(--warning)}
main{max-width:480px;margin:0 auto;padding:32px 16px 64px}
h1{font:680 42px/1 "Anybody Variable","Arial Narrow",sans-serif;margin:0 0 12px}
p{margin:0 0 16px;color:var(--text-2)}
.due{display:flex;justify-content:space-between;align-items:baseline;gap:16px;margin:24px 0 2px;padding:16px;background:var(--surface);border-radius:6px 6px 0 0}
.due strong{font-size:28px;font-variant-numeric:tabular-nums}
.then{margin:0 0 24px;padding:12px 16px;background:var(--surface);border-radius:0 0 6px 6px;font-size:14px}
fieldset{margin:0 0 24px;padding:0;border:0}
legend{padding:0;margin:0 0 8px;font-weight:600}
label{display:grid;grid-template-columns:20px 1fr auto;gap:0 12px;align-items:center;padding:12px 16px;margin:0 0 2px;background:var(--surface);cursor:pointer}
label:first-of-type{border-radius:6px 6px 0 0}
label:last-of-type{border-radius:0 0 6px 6px}
label:hover,label:has(:checked){background:var(--raised)}
label input{grid-row:1/3;width:20px;height:20px;margin:0;accent-color:var(--action)}
label span{font-weight:600}
label small{grid-column:2/4;font-size:13px;color:var(--text-3)}
label em{align-self:start;white-space:nowrap;line-height:24px;font-style:normal;font-size:13px;color:var(--text-3);font-variant-numeric:tabular-nums}
.alert{margin:0 0 24px;padding:12px 16px;border-radius:6px;background:var(--raised);color:var(--danger);font-weight:600}
button{font:inherit;font-weight:600;width:100%;min-height:48px;padding:0 22px;border:0;border-radius:999px;background:var(--action);color:var(--on-action);cursor:pointer}
button.quiet{margin-top:8px;background:none;color:var(--text);border:1px solid var(--line-strong)}
a{color:inherit;text-underline-offset:4px}
:focus-visible{outline:2px solid var(--action);outline-offset:3px}
`;

export const sandboxPolicy = `default-src 'none'; style-src ${hashSource(sandboxStyle)}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const PERIODS: Record<Plan, string> = { monthly: 'month', annual: 'year' };

type Bill = {
  plan: Plan;
  amount: number;
  renewalAmount: number;
  currency: string;
  /** Null if it is due now. */
  firstPaymentAt: number | null;
};

export type SandboxPage =
  | { kind: 'pay'; path: string; bill: Bill; problem: string | null; chosen: string }
  | { kind: 'confirm'; path: string; bill: Bill; card: string }
  | { kind: 'card'; path: string; chosen: string }
  | { kind: 'expired' };

type Site = { siteName: string; timeZone: string };

function writeCards(chosen: string): string {
  const choices = listCards().map(
    ({ name, label, description, shown }) =>
      `<label><input type="radio" name="card" value="${name}"${name === chosen ? ' checked' : ''}><span>${label}</span><em>${shown.brand} ···· ${shown.last4}</em><small>${description}</small></label>`,
  );
  return `<fieldset><legend>Test card</legend>${choices.join('')}</fieldset>`;
}

const writeBill = (bill: Bill, timeZone: string): string => {
  const isLater = bill.firstPaymentAt !== null;
  const money = (cents: number) => formatMoney(cents, bill.currency);
  const then = `${money(bill.renewalAmount)} a ${PERIODS[bill.plan]} until you cancel`;
  const first = bill.amount > 0 ? bill.amount : bill.renewalAmount;
  return `<div class="due"><span>Due today</span><strong>${money(isLater ? 0 : bill.amount)}</strong></div>
<p class="then">${isLater ? `${money(first)} on ${formatDate(bill.firstPaymentAt ?? 0, timeZone)}, then ${then}.` : `Then ${then}.`}</p>`;
};

function writeMain(
  { siteName, timeZone }: Site,
  page: SandboxPage,
): { title: string; body: string } {
  if (page.kind === 'expired')
    return {
      title: 'This checkout has expired',
      body: '<p>It’s already been used, cancelled or timed out. You haven’t been charged twice.</p><p><a href="/subscription">Back to your subscription</a></p>',
    };
  const path = escapeHtml(page.path);
  if (page.kind === 'card')
    return {
      title: 'Update your card',
      body: `<p>Future payments will use this card.</p>
<form method="post" action="${path}">${writeCards(page.chosen)}<button>Use this card</button></form>`,
    };
  if (page.kind === 'confirm')
    return {
      title: 'Confirm with your bank',
      body: `<p>Approve this payment to ${escapeHtml(siteName)}?</p>${writeBill(page.bill, timeZone)}
<form method="post" action="${path}"><input type="hidden" name="card" value="${escapeHtml(page.card)}"><button name="answer" value="yes">Approve payment</button><button class="quiet" name="answer" value="no">Decline</button></form>`,
    };
  return {
    title: `Pay ${escapeHtml(siteName)}`,
    body: `${writeBill(page.bill, timeZone)}${page.problem ? `<p class="alert" role="alert">${escapeHtml(page.problem)}</p>` : ''}
<form method="post" action="${path}">${writeCards(page.chosen)}<button name="answer" value="pay">Pay with this card</button><button class="quiet" name="answer" value="cancel">Go back without paying</button></form>`,
  };
}

/** Needs no script and no other file, like a page of another company. */
export function renderSandbox(site: Site, page: SandboxPage): string {
  const { title, body } = writeMain(site, page);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Test payment</title><style>${sandboxStyle}</style></head>
<body><p class="mark"><strong>Test payment page.</strong> No real money is charged and no card details are needed.</p>
<main><h1>${title}</h1>${body}</main></body></html>`;
}
