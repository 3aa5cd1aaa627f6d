import { useSearch } from 'wouter';

/**
 * One parameter of the address. The router's own reader decodes the whole query before it is taken
 * apart, so that `100%25` or an encoded `&` would come out as something else.
 */
export function useQueryParam(name: string): string | null {
  useSearch();
  return new URLSearchParams(window.location.search).get(name);
}
