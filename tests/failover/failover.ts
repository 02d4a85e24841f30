import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openPostgresql } from '../../server/db/engine/openPostgresql.ts'
import { exitWithReason } from '../cluster/ClusterError.ts'
import { expectPrograms } from '../cluster/clusterPrograms.ts'
import { nodesFolder, startCluster } from '../cluster/startCluster.ts'
import { until } from '../cluster/until.ts'
import type { Ask } from '../support/api/portalClient.ts'
import { fakeClock, setClock } from '../support/operations/fakeClock.ts'
import { tlsClient } from '../support/operations/nginx.ts'
import { CountingTill, outcomesOf, type GivenReceipt } from '../support/redemptions/CountingTill.ts'
import { seedTills, seedVouchers } from '../support/redemptions/seedTills.ts'
import { testTill } from '../support/redemptions/testTill.ts'
import { silentLog } from '../support/server/silentLog.ts'
import { compareReceipts } from './compareReceipts.ts'
import { FAULTS, type ClusterWithClock, type FaultName } from './faults.ts'
import { mountDisks } from './nodeDisks.ts'
import { ReadWatch } from './ReadWatch.ts'
import { longestGap, roundLine, roundsTable, type Round } from './rounds.ts'
import { FAULT_PACKAGES } from './surroundingFaults.ts'
import { unexpectedErrors } from './unexpectedErrors.ts'

const TILLS = 16
const ROUNDS = Number(process.env['FAILOVERS'] ?? 1)
/** More than all tills redeem in the longest round. */
const VOUCHERS = 6_000
const WHOLE_SECONDS = 180
/** Receipts to wait for before a fault and after it. */
const QUIET_RECEIPTS = 5 * TILLS

/** `npm run test:failover [-- FAULT …]`: makes faults in the reference cluster while tills redeem, and compares every receipt with the ledger. */
async function main(): Promise<void> {
  const over = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => over.abort())
  const folder = mkdtempSync(join(tmpdir(), 'portal-failover-'))
  expectPrograms(FAULT_PACKAGES)
  const unmount = mountDisks(nodesFolder(folder))
  const clock = join(folder, 'clock')
  setClock(clock, '+0')
  let isGood = false
  try {
    const wishes = { isOver: over.signal, secondServer: fakeClock(clock) }
    const cluster = await startCluster(folder, console.log, wishes)
    try {
      isGood = await drill({ ...cluster, clock }, over.signal)
    } finally {
      await cluster.stop()
    }
  } finally {
    unmount()
    if (isGood) rmSync(folder, { recursive: true, force: true })
    else console.log(`Data and logs are left in ${folder}`)
  }
  if (!isGood) process.exitCode = 1
}

async function drill(cluster: ClusterWithClock, isOver: AbortSignal): Promise<boolean> {
  const place = { open: () => openPostgresql(cluster.databaseUrl, silentLog) }
  const { main: merchant, cashiers, serials } = await seedTills(place, TILLS, VOUCHERS)
  const givesUp = new AbortController()
  const client = () => tlsClient(cluster.proxy.url, cluster.proxy)
  const tills: CountingTill[] = []
  const wrong: string[] = []
  const work: Promise<unknown>[] = []
  let isDone = false
  for (const cashier of cashiers) {
    const ask = patient(client())
    const logIn = () => testTill(ask, cashier)
    const till = new CountingTill(ask, await logIn())
    const redeeming = till.redeemAll(
      () => serials.pop()!,
      () => isDone,
      { logIn, givesUp: givesUp.signal },
    )
    work.push(redeeming.catch((error: Error) => wrong.push(error.message)))
    tills.push(till)
  }
  const reads = new ReadWatch(client(), merchant)
  const processes = cluster.servers.map(({ program }) => program.pid)
  work.push(reads.watch())
  const rounds: Round[] = []
  try {
    for (const fault of chosenFaults()) {
      if (isOver.aborted) break
      serials.unshift(...(await seedVouchers(place, Math.max(0, VOUCHERS - serials.length))))
      rounds.push(await oneRound(cluster, fault, reads, () => tills.flatMap((till) => till.receipts)))
      console.log(roundLine(rounds.at(-1)!))
    }
    isDone = true
    reads.stop()
    await Promise.all(work)
  } finally {
    reads.stop()
    givesUp.abort()
  }
  return report(cluster, { rounds, tills, wrong, processes })
}

/** The named faults, or all of them; each as often as FAILOVERS says, in turn. */
function chosenFaults(): FaultName[] {
  const { positionals } = parseArgs({ allowPositionals: true })
  const known = Object.keys(FAULTS) as FaultName[]
  const unknown = positionals.filter((name) => !known.includes(name as FaultName))
  if (unknown.length > 0) throw new Error(`No fault ${unknown.join(', ')}; there are: ${known.join('; ')}.`)
  const chosen = known.filter((name) => positionals.length === 0 || positionals.includes(name))
  return Array.from({ length: ROUNDS }, () => chosen).flat()
}

/** Makes one fault. Before and after it the cluster is whole and tills redeem. */
async function oneRound(
  cluster: ClusterWithClock,
  fault: FaultName,
  reads: ReadWatch,
  receipts: () => GivenReceipt[],
): Promise<Round> {
  const redeemAsUsual = async () => {
    const before = receipts().length
    const areEnough = () => receipts().length - before >= QUIET_RECEIPTS || undefined
    await until('tills to redeem as usual', WHOLE_SECONDS, areEnough)
  }
  const from = performance.now()
  await cluster.untilWhole(WHOLE_SECONDS)
  await redeemAsUsual()
  const since = await FAULTS[fault]({ ...cluster, redeemAsUsual })
  await redeemAsUsual()
  await cluster.untilWhole(WHOLE_SECONDS)
  const to = performance.now()
  const times = {
    writableAgain: longestGap(receipts(), since),
    readsAway: reads.longestAway(from),
    slowestRead: reads.slowest(from),
  }
  return { fault, from, to, ...times }
}

interface Course {
  rounds: readonly Round[]
  tills: readonly CountingTill[]
  /** Final refusals: vouchers that the server would not give to a till although they were its own. */
  wrong: readonly string[]
  /** Process ids of the servers at the beginning. */
  processes: readonly (number | undefined)[]
}

/** Compares and prints the results. Returns true when all is well. */
async function report(cluster: ClusterWithClock, { rounds, tills, processes, ...course }: Course): Promise<boolean> {
  const receipts = tills.flatMap((till) => till.receipts)
  const found = await compareReceipts(cluster.databaseUrl, receipts)
  const wrong = [...course.wrong, ...unexpectedErrors(cluster)]
  const survived = cluster.servers.every(({ program }, n) => program.pid !== undefined && program.pid === processes[n])
  const ids = new Set(receipts.map(({ id }) => id)).size
  console.log(`\n${roundsTable(rounds, receipts, found)}\n`)
  console.log(
    `${ids} receipts, ${found.rows} rows in the ledger, ${found.lost.size} lost, ${found.doubled.size} doubled.`,
  )
  console.log(`Refusals that a till tried again: ${refusalsOf(tills)}.`)
  for (const id of [...found.lost, ...found.doubled]) console.log(`LOST OR DOUBLED: redemption ${id}`)
  for (const what of wrong) console.log(`WRONG: ${what}`)
  if (!found.isSound) console.log('WRONG: ledger, vouchers and seals do not agree')
  if (!survived) console.log('WRONG: a portal server ended')
  return found.lost.size + found.doubled.size + wrong.length === 0 && found.isSound && survived && rounds.length > 0
}

const refusalsOf = (tills: readonly CountingTill[]): string =>
  [...outcomesOf(tills)].map(([refusal, count]) => `${count} × ${refusal}`).join(', ') || 'none'

/** A device waits this long for an answer. */
const LONGEST_MS = 10_000

const patient =
  (ask: Ask): Ask =>
  (path, init) =>
    Promise.race([Promise.resolve(ask(path, init)), afterLong()])

async function afterLong(): Promise<never> {
  await sleep(LONGEST_MS, undefined, { ref: false })
  throw new TypeError('no answer')
}

await exitWithReason(main)
