import { useSearch } from 'wouter';

/**
 * One query parameter of the address. The router's own hook decodes the whole query before splitting
 * it, which breaks `100%25` or an encoded `&`.
 */
export function useQueryParam(name: string): string | null {
  useSearch();
  return new URLSearchParams(window.location.search).get(name);
}
