import { ErrorBody, errorStatus } from '#contract/errors.ts';

export type FuzzAnswer = { status: number; contentType: string; body: string };

/** Paths of files and names of modules, as they occur in stack traces. */
const TRACE =
  /\bat (?:async )?[\w.<>]+ \(|\bat file:|node_modules|\/server\/[\w/-]+\.ts|SQLITE_|\bpg_/;

/** What is wrong with an answer, as a sentence; null if nothing is. */
export function findProblem(
  method: string,
  { status, contentType, body }: FuzzAnswer,
): string | null {
  if (status >= 500 && status !== errorStatus.unavailable) return `The status is ${status}.`;
  if (status < 400 || method === 'HEAD') return null;
  if (TRACE.test(body)) return 'The answer shows the inside of the server.';
  if (contentType.startsWith('text/html')) return body.length > 0 ? null : 'The page is empty.';
  if (contentType.startsWith('text/plain') && status === errorStatus.unavailable) return null;
  // Music apps get errors in the words of their protocol.
  if (contentType.startsWith('text/xml') && body.includes('status="failed"')) return null;
  if (body.startsWith('{"subsonic-response":{"status":"failed"')) return null;
  if (!contentType.startsWith('application/json'))
    return `An error of the type ${contentType || 'nothing'}.`;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'The error is not JSON.';
  }
  const error = ErrorBody.strict().safeParse(value);
  if (!error.success) {
    // The health report is not an error.
    if (status === errorStatus.unavailable) return null;
    return 'The error has no code and sentence.';
  }
  const { code, message } = error.data;
  if (errorStatus[code] !== status) return `The code ${code} does not belong to ${status}.`;
  return message.trim() === '' ? 'The error has no sentence.' : null;
}
