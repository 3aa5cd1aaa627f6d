import { ExternalLink } from '#web/ui/icons.ts';

/** Without a label it says where it leads: `soundcloud.com/zola`. */
export function OutsideLink({ href, label }: { href: string; label?: string }) {
  const { hostname, pathname } = new URL(href);
  const text = label ?? `${hostname.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}`;
  return (
    <a
      href={href}
      rel="noreferrer nofollow"
      target="_blank"
      className="inline-flex min-h-11 max-w-full items-center gap-1.5 font-medium text-text-2 underline-offset-4 hover:text-text hover:underline"
    >
      <span className="truncate">{text}</span>
      <ExternalLink aria-hidden className="size-4 shrink-0" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}
