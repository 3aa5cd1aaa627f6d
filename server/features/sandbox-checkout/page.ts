import { formatDayAndTime, formatMoney } from '#contract/rules/format.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { hashSource } from '../../http/send/security-headers.ts';
import type { SiteLook } from '../../http/pages/web-page.ts';
import { listBanks, listCards } from '../../ports/payments/sandbox/ways-to-pay.ts';

/** Uses the fonts, colours and shapes of the site's own stylesheet. Without it the page is plain, but works. */
const sandboxStyle = `
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.5 var(--font-text,system-ui,sans-serif)}
.mark{margin:0;padding:12px 16px;text-align:center;font-size:.875rem;color:var(--bg);background:var(--warning)}
main{max-width:512px;margin:0 auto;padding:40px 16px 64px}
h1{margin:0 0 28px;font-family:var(--font-display,sans-serif);font-stretch:60%;font-weight:680;font-size:clamp(2.75rem,14vw,4.5rem);line-height:.95;letter-spacing:.006em;text-wrap:balance;overflow-wrap:break-word}
p{margin:0 0 16px;color:var(--text-2)}
.due{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:end;gap:8px 16px;margin:0 0 2px;padding:20px 16px;background:var(--surface)}
.due strong{font-family:var(--font-display,sans-serif);font-stretch:50%;font-weight:680;font-size:5rem;line-height:.8;letter-spacing:-.006em;text-box:trim-both cap alphabetic}
.then{margin:0 0 28px;padding:14px 16px;background:var(--surface);font-size:.875rem}
fieldset{min-width:0;margin:0 0 28px;padding:0;border:0}
legend{padding:0;margin:0 0 10px;font-family:var(--font-display,sans-serif);font-stretch:72%;font-weight:680;font-size:1.375rem;line-height:1.2}
label{display:grid;grid-template-columns:20px minmax(0,1fr) auto;gap:0 12px;align-items:center;margin:0 0 2px;padding:12px 16px;background:var(--surface);cursor:pointer}
label:hover,label:has(:checked){background:var(--raised)}
label input{grid-row:1/3;width:20px;height:20px;margin:0;accent-color:var(--action)}
label span{font-weight:600}
label small{grid-column:2/4;font-size:.8125rem;color:var(--text-3)}
label em{align-self:start;white-space:nowrap;line-height:1.5rem;font-style:normal;font-size:.8125rem;color:var(--text-3);font-variant-numeric:tabular-nums}
.back{margin-top:28px}
.alert{margin:0 0 28px;padding:12px 16px;background:var(--raised);color:var(--danger);font-weight:600}
button{width:100%;min-height:52px;padding:0 26px;border:0;border-radius:999px;background:var(--action,CanvasText);color:var(--on-action,Canvas);font:inherit;font-weight:600;cursor:pointer}
button:not(.quiet){position:sticky;bottom:12px;box-shadow:0 0 0 12px var(--bg,Canvas)}
button:hover{background:var(--action-hover)}
button.quiet{margin-top:14px;background:none;color:var(--text,CanvasText);box-shadow:inset 0 0 0 1px var(--line-strong)}
button.quiet:hover{box-shadow:inset 0 0 0 1px var(--text)}
a{color:inherit;text-decoration:underline;text-underline-offset:4px}
:focus-visible{outline:2px solid var(--focus);outline-offset:3px}
@media (width<26rem){label em{grid-column:2/4;grid-row:2}label input{grid-row:1/4}}
`;

/** Only the site's own stylesheet, fonts, icon and theme, and the form of the page. */
export function buildSandboxPolicy({ themeScripts }: SiteLook): string {
  const scripts = themeScripts.map(hashSource).join(' ') || "'none'";
  return `default-src 'none'; script-src ${scripts}; style-src 'self' ${hashSource(sandboxStyle)}; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
}

type Bill = { amount: number; currency: string; description: string; savesCard: boolean };

export type SandboxPage =
  | { kind: 'pay'; path: string; bill: Bill; problem: string | null; chosen: string }
  | { kind: 'confirm'; path: string; bill: Bill; method: string }
  | { kind: 'pending'; path: string; bill: Bill; dueAt: number | null; successUrl: string }
  | { kind: 'expired' };

type Site = { siteName: string; timeZone: string; look: SiteLook };

const writeChoice = (
  { name, label, description }: { name: string; label: string; description: string },
  { shown, chosen }: { shown: string; chosen: string },
): string =>
  `<label><input type="radio" name="method" value="${name}"${name === chosen ? ' checked' : ''}><span>${label}</span>${shown && `<em>${shown}</em>`}<small>${description}</small></label>`;

function writeMethods({ savesCard }: Bill, chosen: string): string {
  const cards = listCards(savesCard).map((card) =>
    writeChoice(card, { shown: `${card.shown.brand} •••• ${card.shown.last4}`, chosen }),
  );
  const banks = savesCard
    ? []
    : listBanks().map((bank) => writeChoice(bank, { shown: '', chosen }));
  const write = (legend: string, choices: string[]) =>
    choices.length > 0 ? `<fieldset><legend>${legend}</legend>${choices.join('')}</fieldset>` : '';
  return write('Test bank payment', banks) + write('Test card', cards);
}

const writeBill = (
  { amount, currency, description, savesCard }: Bill,
  label = 'Due today',
): string =>
  `<div class="due"><span>${label}</span><strong>${formatMoney(amount, currency)}</strong></div>
<p class="then">${escapeHtml(description)}${savesCard ? '<br>The card is saved for later payments.' : ''}</p>`;

const writeProblem = (problem: string | null): string =>
  problem === null ? '' : `<p class="alert" role="alert">${escapeHtml(problem)}</p>`;

const writeForm = (path: string, fields: string): string =>
  `<form method="post" action="${escapeHtml(path)}">${fields}</form>`;

const writeButton = (answer: string, label: string, kind = ''): string =>
  `<button${kind && ` class="${kind}"`} name="answer" value="${answer}">${label}</button>`;

function writePending(
  { siteName, timeZone }: Site,
  { path, bill, dueAt, successUrl }: Extract<SandboxPage, { kind: 'pending' }>,
): string {
  const buttons =
    writeButton('arrive', 'Let it arrive now') + writeButton('fail', 'Let it fail', 'quiet');
  const when =
    dueAt === null
      ? 'The test bank waits for you to decide.'
      : `The test bank decides on ${formatDayAndTime(dueAt, timeZone)}. You can close this page, or decide now.`;
  return `${writeBill(bill, 'On its way')}<p>${when}</p>
${writeForm(path, buttons)}<p class="back"><a href="${escapeHtml(successUrl)}">Back to ${escapeHtml(siteName)}</a></p>`;
}

function writeMain(site: Site, page: SandboxPage): { title: string; body: string } {
  const siteName = escapeHtml(site.siteName);
  switch (page.kind) {
    case 'expired':
      return {
        title: 'This payment page is closed',
        body: '<p>The payment was made, cancelled or not made in time.</p><p><a href="/subscription">Back to your subscription</a></p>',
      };
    case 'pending':
      return { title: 'The payment is on its way', body: writePending(site, page) };
    case 'confirm': {
      const method = `<input type="hidden" name="method" value="${escapeHtml(page.method)}">`;
      const buttons = writeButton('yes', 'Approve payment') + writeButton('no', 'Decline', 'quiet');
      return {
        title: 'Confirm with your bank',
        body: `<p>Approve this payment to ${siteName}?</p>${writeBill(page.bill)}${writeForm(page.path, method + buttons)}`,
      };
    }
    case 'pay': {
      const pay = page.bill.savesCard ? 'Pay with this card' : 'Pay now';
      const buttons =
        writeButton('pay', pay) + writeButton('cancel', 'Go back without paying', 'quiet');
      return {
        title: `Pay ${siteName}`,
        body: `${writeBill(page.bill)}${writeProblem(page.problem)}${writeForm(page.path, writeMethods(page.bill, page.chosen) + buttons)}`,
      };
    }
  }
}

/** Works without a script, like a page of another company, but looks like the site. */
export function renderSandbox(site: Site, page: SandboxPage): string {
  const { title, body } = writeMain(site, page);
  const { stylesheets, themeScripts } = site.look;
  const head = [
    ...themeScripts.map((script) => `<script>${script}</script>`),
    ...stylesheets.map((href) => `<link rel="stylesheet" href="${href}">`),
    `<style>${sandboxStyle}</style>`,
  ].join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="dark light">
<title>${title} · Test payment</title>${head}</head>
<body><p class="mark"><strong>Test payment page.</strong> No real money is charged and no card details are needed.</p>
<main><h1>${title}</h1>${body}</main></body></html>`;
}
