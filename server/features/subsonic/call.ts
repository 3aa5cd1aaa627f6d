import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { AppViewer } from '../app-passwords/service.ts';
import type { WatchSignals } from '../live/service.ts';
import type { Part } from './answer.ts';
import type { Params } from './params.ts';

/** One call of an app, after its password was checked. */
export type CallContext = {
  deps: Deps;
  viewer: AppViewer;
  params: Params;
  /** What the app calls itself. */
  client: string;
  request: FastifyRequest;
  reply: FastifyReply;
  watchSignals: WatchSignals;
};

/** Answers with the element of the call; an empty object for a call without one. */
type Call = (context: CallContext) => Promise<Part>;
export type Calls = Record<string, Call>;

/** Answers with a file. */
export type FileCalls = Record<string, (context: CallContext) => Promise<FastifyReply>>;

/** What loading and presenting needs. */
export type Reader = Pick<CallContext, 'deps' | 'viewer'>;

export const toIsoTime = (at: number): string => new Date(at).toISOString();
