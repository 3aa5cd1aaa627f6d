import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import type { Viewer } from '../../http/guards.ts';
import { describeError } from '../../jobs/describe-error.ts';

/** Now and not by a job: whoever asks wants to see what the mail server says. */
export async function sendTestMail({ config, mail }: Deps, { user }: Viewer) {
  const text = `This is how messages from ${config.siteName} arrive. You asked for it on the settings page.`;
  try {
    await mail.send({
      to: user.email,
      subject: `A test message from ${config.siteName}`,
      text: `${text}\n`,
      html: `<!doctype html><html lang="en"><body><p>${escapeHtml(text)}</p></body></html>`,
    });
  } catch (error) {
    const message = `The mail server did not take the message: ${describeError(error)}`;
    throw new AppError('mail_refused', { message });
  }
  return { to: user.email, isSent: config.smtp !== null };
}
