import { useRouter } from 'wouter';

/** The query string as it is in the address: the router's own hook decodes it, which breaks `100%25`. */
export function useQueryString(): string {
  const router = useRouter();
  return router.searchHook(router);
}

export const useQueryParam = (name: string): string | null =>
  new URLSearchParams(useQueryString()).get(name);
