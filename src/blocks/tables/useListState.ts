interface ListRoute<S> {
  useSearch: () => S
  useNavigate: () => unknown
}

type Navigate = (to: { search: (now: object) => object; replace: boolean }) => Promise<void>

/** Returns the state of a list, which is in the address of its `route`, and the function that changes it. */
export function useListState<S>(route: ListRoute<S>): {
  state: S
  onState: (next: Partial<S>, replace?: boolean) => void
} {
  // The router types `navigate` for one route. Here the route may be that of any list.
  const navigate = route.useNavigate() as Navigate
  return {
    state: route.useSearch(),
    onState: (next, replace = false) => void navigate({ search: (now) => ({ ...now, ...next }), replace }),
  }
}
