import { setThreadCount } from './background/thread-count.ts';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

setThreadCount();
// The next start finds the code compiled and without its types, and needs neither compiler.
enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compiled'));
await import('./site.ts');
flushCompileCache();
