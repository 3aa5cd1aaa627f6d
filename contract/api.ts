import { accountRoutes } from './accounts.ts';
import { systemRoutes } from './system.ts';

/** Every route of the API. Server, OpenAPI document and typed client all read this table. */
export const api = { ...systemRoutes, ...accountRoutes };
export type Api = typeof api;
