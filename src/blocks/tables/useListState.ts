interface ListRoute<S> {
  useSearch: () => S
  useNavigate: () => unknown
}

type Go = (to: { search: (now: object) => object; replace: boolean }) => Promise<void>

/** Returns the state of a route's list, which is in its address, as the list's screen needs it. */
export function useListState<S>(route: ListRoute<S>): {
  state: S
  onState: (next: Partial<S>, replace?: boolean) => void
} {
  // The router types an address by its route; here it may be any list's.
  const navigate = route.useNavigate() as Go
  return {
    state: route.useSearch(),
    onState: (next, replace = false) => void navigate({ search: (now) => ({ ...now, ...next }), replace }),
  }
}
