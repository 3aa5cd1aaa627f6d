import { setThreadCount } from './background/thread-count.ts';
import { runInWatchedThread } from './watched-thread.ts';

setThreadCount();
await runInWatchedThread(import.meta.url, () => import('./site.ts'));
