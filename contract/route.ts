import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A route is named by what goes over the wire: `'PATCH /api/users/:id'`. */
export type RouteKey = `${Method} /${string}`;

export type RouteSpec = {
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** JSON body, `image` for raw image bytes, or `form` for the text of a form as it was sent. */
  body?: z.ZodType | 'image' | 'form';
  /**
   * What a success answers: JSON, `file` for bytes to keep, `events` for a stream that goes on; absent
   * means 204 without a body.
   */
  response?: z.ZodType | 'file' | 'events';
  /** What a 503 of this route answers, where that is more than an error. */
  downResponse?: z.ZodType;
  /** Codes of this route's own, besides those any route can answer with. */
  errors?: readonly ErrorCode[];
};

export const defineRoutes = <const R extends Record<RouteKey, RouteSpec>>(routes: R): R => routes;

type Field<S, N extends 'params' | 'query' | 'body'> = S extends { [K in N]: infer Schema }
  ? Schema extends 'image' | 'form'
    ? { [K in N]: Blob }
    : Schema extends z.ZodType
      ? { [K in N]: z.input<Schema> }
      : unknown
  : unknown;

/** What a caller hands over, and what comes back. */
export type RouteInput<S extends RouteSpec> = Field<S, 'params'> &
  Field<S, 'query'> &
  Field<S, 'body'>;
export type RouteOutput<S extends RouteSpec> = S extends { response: infer R extends z.ZodType }
  ? z.output<R>
  : undefined;
