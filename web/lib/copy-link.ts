import { showToast } from './toasts.ts';

/** Copies a link. Browsers offer no clipboard to pages without TLS; then the toast shows the link. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    showToast({ title: 'Link copied', description: url });
  } catch {
    showToast({ title: 'Copy this link', description: url });
  }
}
