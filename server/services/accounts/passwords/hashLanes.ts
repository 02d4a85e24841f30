import { availableParallelism } from 'node:os'
import { Lanes } from '../../Lanes.ts'

/**
 * Who a hash is made for. `counter`: a PIN, or a login of a device that has signed in before. `signed in`: whoever has shown a
 * session or a link. `strangers`: anybody.
 */
export type HashLane = 'counter' | 'signed in' | 'strangers'

/** As many threads as Node has for such work. Each hash takes 19 MiB and a core: more would only make all of them slower. */
const AT_ONCE = 4

/** Strangers leave half of the cores to everybody else, and wait for a second at most: behind more they would have hung up. */
export const hashLanes = new Lanes<HashLane>(
  {
    counter: { atOnce: AT_ONCE, waiting: 200 },
    'signed in': { atOnce: 2, waiting: 200 },
    strangers: { atOnce: Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2))), waiting: 20 },
  },
  AT_ONCE,
)
