import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A route's key is its method and path: `'PATCH /api/users/:id'`. */
type RouteKey = `${Method} /${string}`;

export type RouteSpec = {
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** A JSON body, `image` and `csv` for raw bytes, or `form` for the raw text of a form. */
  body?: z.ZodType | 'image' | 'csv' | 'form';
  /**
   * The body of a success: JSON, `file` for a download, or `events` for an event stream; if absent, the
   * response is an empty 204.
   */
  response?: z.ZodType | 'file' | 'events';
  /** The body of a 503 response, if it isn't an ordinary error. */
  downResponse?: z.ZodType;
  /** Error codes of this route, besides those of every route. */
  errors?: readonly ErrorCode[];
};

export const defineRoutes = <const R extends Record<RouteKey, RouteSpec>>(routes: R): R => routes;

type Field<S, N extends 'params' | 'query' | 'body'> = S extends { [K in N]: infer Schema }
  ? Schema extends 'image' | 'csv' | 'form'
    ? { [K in N]: Blob }
    : Schema extends z.ZodType
      ? { [K in N]: z.input<Schema> }
      : unknown
  : unknown;

/** The input and output of a route. */
export type RouteInput<S extends RouteSpec> = Field<S, 'params'> &
  Field<S, 'query'> &
  Field<S, 'body'>;
export type RouteOutput<S extends RouteSpec> = S extends { response: infer R extends z.ZodType }
  ? z.output<R>
  : undefined;
