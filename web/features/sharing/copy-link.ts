import { showToast } from '#web/lib/store/toasts.ts';

/** Copies a link. Browsers offer no clipboard to pages without TLS; then the toast shows the link. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    showToast({ title: 'Link copied', description: url });
  } catch {
    showToast({ title: 'Copy this link', description: url });
  }
}

/** Copies something that the page shows, so that it can also be copied by hand. */
export async function copyCode(code: string, name = 'Code'): Promise<void> {
  try {
    await navigator.clipboard.writeText(code);
    showToast({ title: `${name} copied` });
  } catch {
    showToast({ title: `Copy the ${name.toLowerCase()} by hand` });
  }
}
