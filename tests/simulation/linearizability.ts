/** Something that was asked between two moments; `to` is Infinity where nobody heard an answer. */
export interface Call {
  from: number
  to: number
}

/** What a thing does that is asked one call after the other. */
export interface Sequential<S, C extends Call> {
  start: S
  /** The states that the call may lead to; none where its answer cannot be. Without an answer: what it does if it arrives. */
  step: (state: S, call: C) => readonly S[]
}

/**
 * Whether the calls can be put into one order, each somewhere between its moments, in which every answer is right (Wing and Gong;
 * what was tried is remembered as in Lowe, "Testing for linearizability", 2017). One without an answer happens at any later moment,
 * or never.
 */
export function isLinearizable<S, C extends Call>(calls: readonly C[], { start, step }: Sequential<S, C>): boolean {
  const tried = new Set<string>()
  const open = [{ done: 0n, states: new Map([[JSON.stringify(start), start]]) }]
  for (let one = open.pop(); one; one = open.pop()) {
    const { done, states } = one
    const left = [...calls.keys()].filter((at) => ((done >> BigInt(at)) & 1n) === 0n)
    const firstEnd = Math.min(...left.map((at) => calls[at]!.to))
    if (firstEnd === Number.POSITIVE_INFINITY) return true
    for (const at of left.filter((each) => calls[each]!.from < firstEnd)) {
      const next = new Map([...states.values()].flatMap((state) => step(state, calls[at]!)).map(keyed))
      const after = { done: done | (1n << BigInt(at)), states: next }
      // What nobody heard of and changes nothing need not have happened.
      const isNothing = calls[at]!.to === Number.POSITIVE_INFINITY && [...next.keys()].every((key) => states.has(key))
      const key = `${after.done} ${[...next.keys()].toSorted().join(' ')}`
      if (next.size === 0 || isNothing || tried.has(key)) continue
      tried.add(key)
      open.push(after)
    }
  }
  return false
}

const keyed = <S>(state: S) => [JSON.stringify(state), state] as const
