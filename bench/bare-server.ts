import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * The least that Node does for an answer: it sends bytes that it has in memory.
 * Usage: node bench/bare-server.ts <port> <file with answers by path>
 */
export type BareAnswer = {
  headers: Record<string, string>;
  /** In Base64. */
  body: string;
};

const [port, file = ''] = process.argv.slice(2);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, BareAnswer>;
const answers = new Map(
  Object.entries(recorded).map(([path, { headers, body }]) => [
    path,
    { headers, body: Buffer.from(body, 'base64') },
  ]),
);
createServer((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (answer) response.writeHead(200, answer.headers).end(answer.body);
  else response.writeHead(404).end();
}).listen(Number(port), '127.0.0.1');
