import type { MouseEvent } from 'react';
import { useLocation } from 'wouter';

const proseClass =
  'max-w-[68ch] text-16 leading-[1.55] break-words text-text-2 [&_a]:text-text [&_a]:underline [&_a]:underline-offset-4 [&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-4 [&_code]:text-14 [&_h2]:mt-9 [&_h2]:mb-2 [&_h2]:type-section [&_h2]:text-text [&_h3]:mt-6 [&_h3]:mb-1 [&_h3]:font-semibold [&_h3]:text-text [&_h4]:mt-4 [&_h4]:font-semibold [&_h4]:text-text [&_hr]:my-6 [&_hr]:border-line [&_li]:my-1.5 [&_ol]:my-4 [&_ol]:list-decimal [&_ol]:pl-6 [&_p]:my-4 [&_pre]:overflow-x-auto [&_strong]:font-semibold [&_strong]:text-text [&_ul]:my-4 [&_ul]:list-disc [&_ul]:pl-6 [&>:first-child]:mt-0';

/** The server has rendered it from Markdown: text, headings, lists and links, nothing else. */
export function LegalText({ html }: { html: string }) {
  const [, navigate] = useLocation();

  /** Links to this site keep the page, so that music goes on. */
  function follow(event: MouseEvent<HTMLDivElement>): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !isPlain || !link.getAttribute('href')?.startsWith('/')) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  }

  // The links inside are what is clicked, also by keyboard.
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={proseClass} onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
