import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { asked, row, type Comparison } from '../comparison.ts'
import { withServer, type BenchPlace } from '../load/benchDatabase.ts'
import { KeptConnections } from '../load/KeptConnections.ts'
import { countersAndLedger } from '../load/ledger.ts'
import { closedLoad, failures, openLoad, type Answered } from '../load/loads.ts'
import { rawRequest, tillRequests } from '../load/requests.ts'
import { p99Of, waitForQuietMachine } from '../measure.ts'
import { backlogOf, type Storm, type StormTills } from './stormTills.ts'

/** A town of tills that all come back online, each with `ROWS` vouchers taken meanwhile. */
const TILLS = 24_000
const ROWS = 3
const BACK_WITHIN_MS = 1_000
/** Processes that run the tills. Each has half of the connections: a process may have twenty thousand files open at most here. */
const PROCESSES = 2
/** Local addresses of each process. */
const ADDRESSES = 16

const LONGEST_WAIT_SECONDS = 120

/**
 * Lasts as long as much of the storm: in the first seconds the database has not yet begun to clean up behind the redemptions. It has
 * vouchers for twice the highest rate ever seen, because a missing voucher is refused faster than one is redeemed.
 */
const STEADY = { tills: 16, seconds: 30, mostPerSecond: 8_000 }
/** Counters that redeem before and during the storm. */
const LIVE = { tills: 64, perSecond: 10, seconds: Infinity }
const READY_EVERY_MS = 500

/**
 * All tills of a town upload in the same second the vouchers they took offline, like devices: together, and again when the server says so.
 * Counters redeem at the same time. The steady load of the same run says how many rows per second the server can take.
 */
export async function compareStorm(): Promise<Comparison[]> {
  // The first vouchers are for the counters, more than they need until the last till has its receipts; the last are for the steady load.
  const live = 10 * LIVE.perSecond * LONGEST_WAIT_SECONDS
  const storm = TILLS * ROWS
  const size = { tills: LIVE.tills, vouchers: live + storm + STEADY.seconds * STEADY.mostPerSecond }
  return withServer(countersAndLedger(size), async (server, place) => {
    await waitForQuietMachine()
    const steady = await steadyRows(server, live + storm)
    let isOver = false
    const beside = Promise.all([redeemUntil(() => isOver, server, place), watchReady(() => isOver, server)])
    // By then each open counter has redeemed once, and has its connection.
    const before = LIVE.tills / LIVE.perSecond
    await sleep(before * 1_000)
    const stormed = await uploadAll(server, live)
    isOver = true
    const [redeemed, ready] = await beside
    const meanwhile = redeemed.filter(({ at }) => at >= before)
    return [...reportOf(stormed, steady), ...reportBeside(meanwhile, ready)]
  })
}

/** Rows per second of a few tills that always have more. */
async function steadyRows(server: ServerProcess, from: number): Promise<number> {
  let next = from
  const nextRequest = () => {
    const first = next
    next += ROWS
    return backlogOf(new URL(server.url).host, first, ROWS)
  }
  const load = { servers: [server], connections: STEADY.tills, seconds: STEADY.seconds, nextRequest }
  return (await closedLoad(load)).perSecond * ROWS
}

/** Runs the tills in processes that are all ready before the first till begins. */
async function uploadAll({ url }: ServerProcess, from: number): Promise<Storm> {
  const each = TILLS / PROCESSES
  const processes = Array.from({ length: PROCESSES }, () => fork(STORM_TILLS))
  await Promise.all(processes.map((one) => once(one, 'message')))
  const storms = processes.map(async (one, n): Promise<Storm> => {
    const addresses = Array.from({ length: ADDRESSES }, (_, address) => `127.0.${n + 1}.${address + 1}`)
    const own = { from: from + n * each * ROWS, tills: each, rows: ROWS }
    one.send({ url, addresses, ...own, within: BACK_WITHIN_MS } satisfies StormTills)
    const [storm] = (await once(one, 'message')) as [Storm]
    return storm
  })
  const parts = await Promise.all(storms)
  return { requests: sum(parts.map(({ requests }) => requests)), waits: parts.flatMap(({ waits }) => waits) }
}

const STORM_TILLS = join(import.meta.dirname, 'stormTills.ts')

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

async function redeemUntil(isOver: () => boolean, server: ServerProcess, place: BenchPlace): Promise<Answered[]> {
  const till = await tillRequests(server.url, place.secrets, LIVE.tills)
  const counters = Array.from({ length: LIVE.tills }, () => new KeptConnections(server))
  let voucher = 0
  const nextRequest = () => {
    const n = voucher++
    return { kind: 'redeem', text: till.redeem(n) }
  }
  const answered = await openLoad({ connections: counters, nextRequest, steps: [LIVE], isOver })
  for (const one of counters) one.end()
  return answered
}

/** Asks for the server's readiness again and again. Returns all answers. */
async function watchReady(isOver: () => boolean, server: ServerProcess): Promise<string[]> {
  const connections = new KeptConnections(server)
  const request = rawRequest({ host: new URL(server.url).host, method: 'GET', path: '/api/ready' })
  const said: string[] = []
  while (!isOver()) {
    said.push(await connections.ask(request))
    await sleep(READY_EVERY_MS)
  }
  connections.end()
  return said
}

function reportOf({ requests, waits }: Storm, steady: number): Comparison[] {
  const lasted = Math.max(...waits)
  const named = `${TILLS.toLocaleString('en')} tills back at once, ${ROWS} vouchers each`
  const ofSteady = { baseline: steady, unit: 'rows/s', against: `${STEADY.tills} tills that always have more` }
  const [requestsOfRow, wait] = [asked('18.11', 1.5, 'requests'), asked('18.11', LONGEST_WAIT_SECONDS, 's')]
  return [
    row(`${named}: uploaded`, (TILLS * ROWS) / lasted, ofSteady, '≥ 0.70'),
    row(`${named}: requests for a row`, requests / (TILLS * ROWS), requestsOfRow, '≤ 1.00'),
    row(`${named}: until the last has its receipts`, lasted, wait, '≤ 1.00'),
  ]
}

function reportBeside(redeemed: Answered[], ready: string[]): Comparison[] {
  const named = 'meanwhile, at open counters'
  const p99 = p99Of(redeemed.map(({ ms }) => ms))
  const unready = ready.filter((status) => status !== '200').length
  const all = { baseline: ready.length, unit: 'answers', against: 'all of them' }
  return [
    row(`${named}: p99 of a redemption`, p99, asked('18.11', 1_000, 'ms'), '≤ 1.00'),
    failures(`${named}: not redeemed at the first try`, redeemed),
    row('meanwhile: /api/ready said something else than ready', unready, all, '= 0.00'),
  ]
}
