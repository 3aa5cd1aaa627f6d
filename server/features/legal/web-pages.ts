import type { LegalPage } from '#contract/legal.ts';
import { LEGAL_PAGES, legalTitles } from '#contract/legal-pages.ts';
import { formatDate } from '#contract/rules/format.ts';
import type { Seller } from '#contract/paying/invoices.ts';
import type { Deps } from '../../deps.ts';
import { escapeHtml, unescapeHtml } from '../../http/send/escape-html.ts';
import { buildHead, type CardLink, type PageHead } from '../../http/pages/page-head.ts';
import { getCurrentVersion } from './queries.ts';
import { readSiteFacts, renderText } from './site-facts.ts';

const describeSeller = (seller: Seller): [label: string, value: string][] =>
  (
    [
      ['Name', seller.name],
      ['Legal status', seller.status],
      ['Registration number', seller.registration],
      ['VAT number', seller.vatNumber],
      ['Address', seller.address],
      ['Phone', seller.phone],
      ['E-mail', seller.email],
    ] satisfies [string, string][]
  ).filter(([, value]) => value !== '');

/** The same content for browsers without scripts. */
function buildPlainPage(
  { page, at, html, seller }: Omit<LegalPage, 'version' | 'versions'>,
  timeZone: string,
) {
  const rows = describeSeller(seller).map(
    ([label, value]) => `<dt>${label}</dt><dd>${escapeHtml(value).replaceAll('\n', '<br>')}</dd>`,
  );
  const identity = page === 'contact' ? `<dl>${rows.join('')}</dl>` : '';
  return `<h1>${legalTitles[page]}</h1>${identity}${html}<p>Version of ${formatDate(at, timeZone)}</p>`;
}

const firstLine = (html: string): string =>
  (/<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? '').replaceAll(/<[^>]*>/g, '').slice(0, 300);

/** Title, description and text of a legal page, for crawlers and browsers without scripts. */
export async function findLegalPage(
  deps: Deps,
  path: string,
  card: CardLink,
): Promise<PageHead | null> {
  const name = /^\/+([a-z]+)\/*$/.exec(path)?.[1];
  const page = LEGAL_PAGES.find((one) => one === name);
  if (!page) return null;
  const { siteName, timeZone } = deps.config;
  const row = await getCurrentVersion(deps.database.db, page, deps.clock.now());
  const { facts, seller } = await readSiteFacts(deps);
  const html = await renderText(row.text, facts);
  const title = legalTitles[page];
  const { origin } = deps.site;
  return buildHead(
    { origin, siteName },
    {
      path: `/${page}`,
      title,
      description: unescapeHtml(firstLine(html)),
      card,
      data: {
        '@type': page === 'contact' ? 'ContactPage' : 'WebPage',
        name: title,
        dateModified: new Date(row.created_at).toISOString().slice(0, 10),
        publisher: { '@type': 'Organization', name: seller.name, url: origin },
      },
      plain: buildPlainPage({ page, at: row.created_at, html, seller }, timeZone),
    },
  );
}
