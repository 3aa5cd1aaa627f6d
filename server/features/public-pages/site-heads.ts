import type { Chart } from '#contract/charts.ts';
import type { Plans } from '#contract/billing.ts';
import type { PUBLIC_PATHS } from '#contract/page-paths.ts';
import type { LegalPageName } from '#contract/legal-pages.ts';
import { iconPath, type About, type SiteLook } from '#contract/look.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { buildHead, type CardLink, type PageHead, type Site } from '../../http/pages/page-head.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { cardLookOf, toCardPath } from './card-pictures.ts';

type SitePath = Exclude<(typeof PUBLIC_PATHS)[number], `/${LegalPageName}`>;

/** The titles that the web app gives these pages too, and what search engines say about them. */
const texts: Record<SitePath, { title: string; describe: (siteName: string) => string }> = {
  '/': {
    title: 'A DJ mix every week',
    describe: (siteName) =>
      `Hear the newest mix on ${siteName}, and every week of the year before it. A ${PREVIEW_TEXT} of each mix is free.`,
  },
  '/top-20': {
    title: 'Top 20',
    describe: (siteName) =>
      `The 20 mixes on ${siteName} that most people heard in the last seven days, with last week’s places, peaks and weeks on the chart.`,
  },
  '/landing': {
    title: 'One mix a week',
    describe: (siteName) =>
      `${siteName} is a DJ mix for every week of the year. Hear a ${PREVIEW_TEXT} of each for free, or the whole year with Premium.`,
  },
  '/login': {
    title: 'Login',
    describe: (siteName) =>
      `Log in to ${siteName} for your favorites, playlists and what you heard last.`,
  },
  '/register': {
    title: 'Register',
    describe: (siteName) =>
      `Create a free account on ${siteName}: previews of every mix, favorites, playlists and your own year in weeks.`,
  },
};

export const siteTitles = Object.entries(texts).map(([path, { title }]) => ({ path, title }));

export const isSitePath = (path: string): path is SitePath => Object.hasOwn(texts, path);

export const describeSitePage = (path: SitePath, siteName: string): string =>
  texts[path].describe(siteName);

/** The operator’s words come first where they are about the same. */
function describeInOwnWords(path: SitePath, { siteName, sentence, lead }: Site): string {
  const usual = describeSitePage(path, siteName);
  if (path === '/landing') return lead || usual;
  return path === '/' && sentence ? `${sentence} ${usual}` : usual;
}

/** The picture of all pages that have none of their own. */
export const siteCard = (look: SiteLook): CardLink => ({
  path: toCardPath({ kind: 'site', look: cardLookOf(look) }),
  alt: `${look.siteName}. ${look.headline || 'One mix a week.'}`,
});

const describeSite = ({ origin, siteName }: Site) => ({
  '@type': 'WebSite',
  name: siteName,
  url: `${origin}/`,
});

/** JSON-LD of the chart, as visitors see it. */
const describeChart = ({ items }: Chart, { origin }: Site) => ({
  '@type': 'ItemList',
  numberOfItems: items.length,
  itemListElement: items.map(({ rank, track }) => ({
    '@type': 'ListItem',
    position: rank,
    name: track.title,
    url: `${origin}/track/${encodeURIComponent(track.id)}`,
  })),
});

const describePlans = ({ currency, monthly, annual }: Plans, { origin, siteName }: Site) => ({
  '@type': 'Product',
  name: `${siteName} Premium`,
  brand: { '@type': 'Brand', name: siteName },
  offers: [
    ['Monthly', monthly.amount],
    ['Annual', annual.amount],
  ].map(([name, cents]) => ({
    '@type': 'Offer',
    name,
    price: (Number(cents) / 100).toFixed(2),
    priceCurrency: currency,
    availability: 'https://schema.org/InStock',
    url: `${origin}/landing`,
  })),
});

export type SiteData = { getChart: () => Promise<Chart>; getPlans: () => Promise<Plans> };

/** The head of a page about the site itself. */
export async function buildSiteHead(
  path: SitePath,
  site: Site,
  { getChart, getPlans }: SiteData,
): Promise<PageHead> {
  const { title } = texts[path];
  const description = describeInOwnWords(path, site);
  const page = { '@type': 'WebPage', name: title, isPartOf: describeSite(site) };
  const data = {
    '/': async () => ({ ...describeSite(site), publisher: describeOwner(site) }),
    '/top-20': async () => ({ name: title, ...describeChart(await getChart(), site) }),
    '/landing': async () => describePlans(await getPlans(), site),
    '/login': async () => page,
    '/register': async () => page,
  }[path];
  return buildHead(site, {
    path,
    title,
    description,
    card: siteCard(site),
    data: await data(),
  });
}

const describeOwner = ({ origin, siteName, icon, links, sentence }: Site) => ({
  '@type': 'Organization',
  name: siteName,
  url: origin,
  logo: `${origin}${iconPath({ icon }, '512')}`,
  ...(sentence && { description: sentence }),
  ...(links.length > 0 && { sameAs: links.map(({ url }) => url) }),
});

/** The About page, where everyone may read it. */
export function buildAboutHead({ sentence, html, links, picture }: About, site: Site): PageHead {
  const { origin, siteName } = site;
  const items = links.map(
    ({ label, url }) =>
      `<li><a href="${escapeHtml(url)}" rel="noopener noreferrer me">${escapeHtml(label)}</a></li>`,
  );
  return buildHead(site, {
    path: '/about',
    title: 'About',
    description: sentence || `Who is behind ${siteName}.`,
    type: 'profile',
    card: siteCard(site),
    data: {
      '@type': 'AboutPage',
      name: `About ${siteName}`,
      ...(picture && { primaryImageOfPage: `${origin}${picture.path}` }),
      mainEntity: describeOwner(site),
    },
    plain: [
      '<h1>About</h1>',
      sentence && `<p>${escapeHtml(sentence)}</p>`,
      html,
      items.length > 0 && `<ul>${items.join('')}</ul>`,
    ]
      .filter(Boolean)
      .join(''),
  });
}
