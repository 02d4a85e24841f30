import { type Address, KeptConnections } from './KeptConnections.ts'
import { type Answered, type OpenLoad, openLoad } from './load/openLoad.ts'

/** Tokens are good for ten minutes. */
const TOKENS_SECONDS = 300

interface SteadyLoad {
  address: Address
  perSecond: number
  seconds: number
  /** With tokens of now. */
  requests: () => Promise<OpenLoad['nextRequest']>
}

/** The same rate for as long as it is wanted, without regard to the answers; what came of each request. */
export async function steadyLoad({ address, perSecond, seconds, requests }: SteadyLoad): Promise<Answered[]> {
  const connections = new KeptConnections(address)
  const answered: Answered[] = []
  for (let left = seconds; left > 0; left -= TOKENS_SECONDS) {
    const steps = [{ perSecond, seconds: Math.min(left, TOKENS_SECONDS) }]
    answered.push(...(await openLoad({ connections, steps, nextRequest: await requests() })))
  }
  connections.end()
  return answered
}
