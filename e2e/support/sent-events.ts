import type { BrowserContext, Request } from '@playwright/test';

export type Sent = { event: string; properties: Record<string, unknown> };

/** A batch is a form field, in base64 if the client sent it. */
function readBatch(request: Request): Sent[] {
  const data = new URLSearchParams(request.postData() ?? '').get('data') ?? '';
  const json = data.startsWith('[') ? data : Buffer.from(data, 'base64').toString();
  return JSON.parse(json) as Sent[];
}

/** Collects the analytics events that the pages of a browser send. */
export function watchSentEvents(context: BrowserContext): Sent[] {
  const sent: Sent[] = [];
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/events')
      sent.push(...[readBatch(request)].flat());
  });
  return sent;
}
