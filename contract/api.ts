import { accountRoutes } from './accounts.ts';
import { systemRoutes } from './system.ts';
import { trackRoutes } from './tracks.ts';

/** Every route of the API. Server, OpenAPI document and typed client all read this table. */
export const api = { ...systemRoutes, ...accountRoutes, ...trackRoutes };
export type Api = typeof api;
