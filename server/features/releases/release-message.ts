import { escapeHtml } from '../../http/escape-html.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';

type Release = {
  to: string;
  username: string;
  siteName: string;
  origin: string;
  unsubscribeUrl: string;
  key: string;
  track: { id: string; title: string; week: number; year: number; description: string };
};

export function buildReleaseMessage(release: Release): MailMessage {
  const { to, username, siteName, origin, unsubscribeUrl, key, track } = release;
  const link = `${origin}/track/${encodeURIComponent(track.id)}`;
  const intro = track.description.split('\n', 1)[0] ?? '';
  const paragraphs = [
    `Hello ${username},`,
    `Week ${track.week} is out on ${siteName}: ${track.title}.`,
    ...(intro ? [intro] : []),
  ];
  const html = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  return {
    to,
    subject: `Week ${track.week}: ${track.title}`.slice(0, 200),
    text: `${[...paragraphs, `Listen: ${link}`, `Unsubscribe: ${unsubscribeUrl}`].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">
${html}
<p><a href="${escapeHtml(link)}">Listen now</a></p>
<p style="font-size:13px"><a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe from release e-mails</a></p>
</body></html>`,
    unsubscribeUrl,
    key,
  };
}
