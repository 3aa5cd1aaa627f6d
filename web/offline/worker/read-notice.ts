import type { ReleaseNotice } from '#contract/clients/notifications.ts';

/** A browser that gets a message must show something, even if it can't be read. */
const UNREADABLE: ReleaseNotice = {
  title: 'A new mix is out',
  body: '',
  path: '/',
  tag: 'release',
};

export function readNotice(data: { json(): unknown } | null): ReleaseNotice {
  try {
    return { ...UNREADABLE, ...(data?.json() as Partial<ReleaseNotice> | null) };
  } catch {
    return UNREADABLE;
  }
}

/** Only a page of this site. */
export function toPage(path: unknown, origin: string): string {
  const url = URL.parse(typeof path === 'string' ? path : '/', origin);
  return url?.origin === origin ? url.href : `${origin}/`;
}
