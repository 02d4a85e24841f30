import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import type { Comparison } from '../comparison.ts'
import { startBenchDatabase, type BenchDatabase } from '../load/benchDatabase.ts'
import { keepAliveLoad } from '../load/keepAliveLoad.ts'
import { KeptConnections, openLoad, type Answered } from '../load/openLoad.ts'
import { rawRequest, tillRequests } from '../load/requests.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { rateOf } from '../rate.ts'
import { uploadOf, type Storm, type StormTills } from './stormTills.ts'

/** A town that has its connection back, and what each till took meanwhile. */
const TILLS = 24_000
const ROWS = 3
const BACK_WITHIN_MS = 1_000
/** Each has half as many connections as there are tills: a process may have twenty thousand files open at most here. */
const PROCESSES = 2
/** Of each process. */
const ADDRESSES = 16

const ASKED = { goodput: '≥ 0.70', requestsPerRow: 1.5, longestWaitSeconds: 120, liveP99Ms: 1_000 }

/** As long as much of the storm: in the first seconds the database has not yet begun to clean up behind the redemptions. */
const STEADY = { tills: 16, seconds: 30, mostPerSecond: 2_000 }
/** At counters that are open meanwhile. */
const LIVE = { tills: 64, perSecond: 10, seconds: 2 }
const READY_EVERY_MS = 500

/**
 * All tills of a town upload in the same second what they took offline, as a device does: together, and again when it says so.
 * Beside them counters redeem. The steady load of the same run says how many rows a second the server can take.
 */
export async function compareStorm(): Promise<Comparison[]> {
  // The first are for the counters, more than they need until the last till has its receipts; the last for the steady load.
  const live = 10 * LIVE.perSecond * ASKED.longestWaitSeconds
  const storm = TILLS * ROWS
  const place = await startBenchDatabase({
    tills: LIVE.tills,
    vouchers: live + storm + STEADY.seconds * STEADY.mostPerSecond,
  })
  const server = await startServer(place.env)
  const connections = new KeptConnections(server)
  try {
    await waitForQuietMachine()
    const steady = await steadyRows(server, live + storm)
    let isOver = false
    const beside = Promise.all([
      redeemUntil(() => isOver, { server, place, connections }),
      watchReady(() => isOver, { server, connections }),
    ])
    const stormed = await uploadAll(server, live)
    isOver = true
    const [redeemed, ready] = await beside
    return [...reportOf(stormed, steady), ...reportBeside(redeemed, ready)]
  } finally {
    connections.end()
    await server.stop()
    await place.remove()
  }
}

/** Rows a second of a few tills that always have more. */
async function steadyRows({ host, port, url }: ServerProcess, from: number): Promise<number> {
  let next = from
  const nextRequest = () => {
    const first = next
    next += ROWS
    return uploadOf(new URL(url).host, first, ROWS)
  }
  const load = { host, port, connections: STEADY.tills, seconds: STEADY.seconds, nextRequest }
  return (await keepAliveLoad(load)).perSecond * ROWS
}

/** The tills, in processes that are ready before the first of them begins. */
async function uploadAll({ url }: ServerProcess, from: number): Promise<Storm> {
  const each = TILLS / PROCESSES
  const processes = Array.from({ length: PROCESSES }, () => fork(STORM_TILLS))
  await Promise.all(processes.map((one) => once(one, 'message')))
  const storms = processes.map(async (one, n): Promise<Storm> => {
    const addresses = Array.from({ length: ADDRESSES }, (_, address) => `127.0.${n + 1}.${address + 1}`)
    const given: StormTills = {
      url,
      addresses,
      from: from + n * each * ROWS,
      tills: each,
      rows: ROWS,
      within: BACK_WITHIN_MS,
    }
    one.send(given)
    const [storm] = (await once(one, 'message')) as [Storm]
    return storm
  })
  const parts = await Promise.all(storms)
  return { requests: sum(parts.map(({ requests }) => requests)), waits: parts.flatMap(({ waits }) => waits) }
}

const STORM_TILLS = join(import.meta.dirname, 'stormTills.ts')

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

interface Beside {
  server: ServerProcess
  connections: KeptConnections
}

async function redeemUntil(
  isOver: () => boolean,
  { server, place, connections }: Beside & { place: BenchDatabase },
): Promise<Answered[]> {
  const till = await tillRequests(server.url, place.secrets, LIVE.tills)
  let voucher = 0
  const nextRequest = () => {
    const n = voucher++
    return { kind: 'redeem', text: till.redeem(n % LIVE.tills, n) }
  }
  const answered: Answered[] = []
  while (!isOver()) answered.push(...(await openLoad({ connections, nextRequest, steps: [LIVE] })))
  return answered
}

/** What the server said of itself, each time somebody asked. */
async function watchReady(isOver: () => boolean, { server, connections }: Beside): Promise<string[]> {
  const request = rawRequest({ host: new URL(server.url).host, method: 'GET', path: '/api/ready' })
  const said: string[] = []
  while (!isOver()) {
    said.push(await connections.ask(request))
    await sleep(READY_EVERY_MS)
  }
  return said
}

const AGAINST = 'what is asked (rule 18.11)'

function reportOf({ requests, waits }: Storm, steady: number): Comparison[] {
  const lasted = Math.max(...waits)
  const named = `${TILLS.toLocaleString('en')} tills back at once, ${ROWS} vouchers each`
  return [
    {
      what: `${named}: uploaded`,
      product: (TILLS * ROWS) / lasted,
      baseline: steady,
      unit: 'rows/s',
      against: `${STEADY.tills} tills that always have more`,
      goal: ASKED.goodput,
    },
    {
      what: `${named}: requests for a row`,
      product: requests / (TILLS * ROWS),
      baseline: ASKED.requestsPerRow,
      unit: 'requests',
      against: AGAINST,
      goal: '≤ 1.00',
    },
    {
      what: `${named}: until the last has its receipts`,
      product: lasted,
      baseline: ASKED.longestWaitSeconds,
      unit: 's',
      against: AGAINST,
      goal: '≤ 1.00',
    },
  ]
}

function reportBeside(redeemed: Answered[], ready: string[]): Comparison[] {
  const against = AGAINST
  const times = redeemed.map(({ ms }) => ms)
  const refused = redeemed.filter(({ status }) => status !== '200')
  return [
    {
      what: 'meanwhile, at open counters: p99 of a redemption',
      product: rateOf(times, 1).p99,
      baseline: ASKED.liveP99Ms,
      unit: 'ms',
      against,
      goal: '≤ 1.00',
    },
    {
      what: 'meanwhile, at open counters: not redeemed at the first try',
      product: refused.length,
      baseline: redeemed.length,
      unit: 'requests',
      against: 'all of them',
      goal: '= 0.00',
    },
    {
      what: 'meanwhile: /api/ready said something else than ready',
      product: ready.filter((status) => status !== '200').length,
      baseline: ready.length,
      unit: 'answers',
      against: 'all of them',
      goal: '= 0.00',
    },
  ]
}
