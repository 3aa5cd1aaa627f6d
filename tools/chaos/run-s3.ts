import { createServer } from 'node:http';
import S3rver from 's3rver';

/**
 * Run as `node run-s3.ts`, with S3_PORT, S3_FOLDER and S3_BUCKET. A store in a process of its own that
 * SIGTERM takes away: every connection ends at once. What it has acknowledged is written first, because
 * it acknowledges files while their last bytes are still in memory, which real stores don't.
 */
const { S3_PORT, S3_FOLDER = '', S3_BUCKET = '' } = process.env;
const s3 = new S3rver({
  silent: true,
  directory: S3_FOLDER,
  configureBuckets: [{ name: S3_BUCKET, configs: [] }],
});
await s3.configureBuckets();
const answer = s3.callback();
const server = createServer((request, response) => answer(request, response));
server.listen(Number(S3_PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
