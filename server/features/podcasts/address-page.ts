import { listPodcastApps } from '#contract/clients/podcast-apps.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import type { PlainPage } from '../../http/pages/plain-page.ts';

/** What a person sees who opens the address of a feed in a browser: most do with a phone's camera. */
export function buildAddressPage({ url, siteName }: { url: string; siteName: string }): PlainPage {
  const apps = listPodcastApps(url)
    .map(({ name, href }) => `<li><a href="${escapeHtml(href)}">Open in ${name}</a></li>`)
    .join('\n');
  return {
    siteName,
    title: 'Podcast feed',
    heading: `${siteName} in your podcast app`,
    body: `<p>This is the address of a podcast feed. Choose your app, or paste the address where it adds a podcast by URL.</p>
<ul>
${apps}
</ul>
<code>${escapeHtml(url)}</code>`,
  };
}
