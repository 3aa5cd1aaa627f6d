import type { Api } from '#contract/api.ts';
import type { ErrorBody, ErrorCode } from '#contract/errors.ts';
import type { RouteInput, RouteOutput } from '#contract/route.ts';
import { boot } from '#web/lib/store/boot.ts';
import { recordApiCall } from '#web/lib/analytics/analytics-events.ts';
import { failedRequestStore } from './outage.ts';

export const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUT_MESSAGE = 'API request timed out';

/** A response that was not OK. Callers branch on `code` or `status`, never on the text. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | undefined;
  readonly fields: Record<string, string>;
  /** True when the message comes from the server and can be shown as it is. */
  readonly hasServerMessage: boolean;
  /** When a server that can't answer now asks to be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, bodyText: string, retryAfterMs?: number) {
    const body = parseErrorBody(bodyText);
    super(body?.message || `${status}: ${bodyText}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body?.code;
    this.fields = body?.fields ?? {};
    this.hasServerMessage = Boolean(body?.message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A failed request for tracks, the chart or downloads. Says only the status. */
class CatalogueError extends ApiError {
  constructor(status: number, retryAfterMs?: number) {
    super(status, '', retryAfterMs);
    this.name = 'CatalogueError';
    this.message = `API Error: ${status}`;
  }
}

export class ApiTimeout extends Error {
  constructor() {
    super(TIMEOUT_MESSAGE);
    this.name = 'ApiTimeout';
  }
}

type Keys = keyof Api;
export type CallArgs<K extends Keys> =
  RouteInput<Api[K]> extends infer Input
    ? unknown extends Input
      ? [input?: undefined, options?: CallOptions]
      : [input: Input, options?: CallOptions]
    : never;
type CallOptions = {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Finishes the request even if the user leaves the page. */
  keepalive?: boolean;
};
type Query = Record<string, string | number | boolean | undefined>;
type AnyInput = {
  params?: Record<string, string>;
  query?: Query;
  body?: unknown;
};

/** `call('PATCH /api/users/:id', { params, body })`: method, path, input and output come from the contract. */
export async function call<K extends Keys>(
  route: K,
  ...[input, options]: CallArgs<K>
): Promise<RouteOutput<Api[K]>> {
  const [method, template] = route.split(' ') as [string, string];
  const { params, query, body } = (input ?? {}) as AnyInput;
  const isBlob = body instanceof Blob;
  const response = await request(buildPath(template, params, query), {
    method,
    ...(options?.signal && { signal: options.signal }),
    ...(options?.keepalive && { keepalive: true }),
    headers: {
      ...(body !== undefined && { 'content-type': isBlob ? body.type : JSON_TYPE }),
      ...options?.headers,
    },
    ...(body !== undefined && { body: isBlob ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw await readError(method, template, response);
  const result = (response.status === 204 ? undefined : await response.json()) as RouteOutput<
    Api[K]
  >;
  if (method !== 'GET')
    recordApiCall({
      route,
      params: params ?? {},
      changedFields: Object.keys(body ?? {}),
      response: result,
    });
  return result;
}

/** The server answered that no one is logged in. Reading the catalogue says so with its own error. */
export const isLoggedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && !(error instanceof CatalogueError);

const JSON_TYPE = 'application/json';
const CATALOGUE_PATHS = ['/api/tracks', '/api/top-20', '/api/downloads'];

const isCatalogueRead = (method: string, path: string): boolean =>
  method === 'GET' && CATALOGUE_PATHS.some((part) => path.includes(part));

const LONGEST_RETRY_MS = 30_000;

function readRetryAfter({ status, headers }: Answer): number | undefined {
  const seconds = status === 503 ? Number(headers?.get('retry-after')) : 0;
  return seconds > 0 ? Math.min(seconds * 1000, LONGEST_RETRY_MS) : undefined;
}

export async function readError(method: string, path: string, response: Answer): Promise<ApiError> {
  const { status } = response;
  const retryAfterMs = readRetryAfter(response);
  const error = isCatalogueRead(method, path)
    ? new CatalogueError(status, retryAfterMs)
    : new ApiError(status, await response.text(), retryAfterMs);
  // A payment provider that is away is no outage of ours.
  if ((status === 503 || status === 507) && error.code !== 'provider_unavailable') {
    // Forms show their own message.
    const isSaving = method !== 'GET' && !path.startsWith('/api/auth/');
    failedRequestStore.set({ outage: isSaving ? 'saving' : 'busy', retryAfterMs });
  }
  return error;
}

/** The headers that the specification requires of some requests. */
function findHeaders(method: string, path: string): Record<string, string> {
  if (path === '/api/auth/me') return { 'cache-control': 'no-cache', pragma: 'no-cache' };
  return isCatalogueRead(method, path) ? { 'content-type': JSON_TYPE } : {};
}

type RequestOptions = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

/** What callers read of a response. */
export type Answer = Pick<Response, 'ok' | 'status' | 'text' | 'json' | 'blob'> & {
  headers?: Headers;
};

/** While the server renders a page, it answers the page's requests itself. */
export const transport = {
  fetch: (url: string, init: RequestInit): Promise<Answer> => fetch(url, init).then(readWhole),
};

/** Every request sends cookies and times out. */
export async function request(path: string, init: RequestOptions = {}): Promise<Answer> {
  const headers = { ...findHeaders(init.method ?? 'GET', path), ...init.headers };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), REQUEST_TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal;
  try {
    return await transport.fetch(resolveUrl(path), {
      ...init,
      headers,
      signal,
      credentials: 'include',
    });
  } catch (error) {
    if (!init.signal?.aborted) failedRequestStore.set({ outage: 'reaching' });
    throw timeout.signal.aborted ? new ApiTimeout() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the body before returning, so that the time-out covers it too. */
async function readWhole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}

/** Password resets may use another host; everything else is on this origin. */
export const resolveUrl = (path: string, authOrigin = boot.authOrigin): string =>
  authOrigin && path.startsWith('/api/auth/reset-password') ? authOrigin + path : path;

export function buildPath(
  template: string,
  params: Record<string, string> = {},
  query: Query = {},
): string {
  const path = template.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
  return search ? `${path}?${search}` : path;
}

function parseErrorBody(text: string): Partial<ErrorBody> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return body && typeof body === 'object' ? body : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The message to show when a call failed: the server's own; `withoutMessage` when its response had
 * none; `failed` when there was no response.
 */
export function describeFailure(error: unknown, failed: string, withoutMessage = failed): string {
  if (error instanceof ApiError) return error.hasServerMessage ? error.message : withoutMessage;
  if (error instanceof ApiTimeout) return error.message;
  return failed;
}

/** The same, except that a server error is also just `failed`: only a refusal has a reason to show. */
export const describeRefusal: typeof describeFailure = (error, failed, withoutMessage) =>
  error instanceof ApiError && error.status >= 500
    ? failed
    : describeFailure(error, failed, withoutMessage);
