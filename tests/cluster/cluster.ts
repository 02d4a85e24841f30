import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openPostgresql } from '../../server/db/engine/openPostgresql.ts'
import { PASSWORD } from '../support/database/builders.ts'
import { seedTills } from '../support/redemptions/seedTills.ts'
import { silentLog } from '../support/server/silentLog.ts'
import { exitWithReason } from './ClusterError.ts'
import { startCluster, type Cluster } from './startCluster.ts'
import { statusPage } from './statusPage.ts'

const EVERY_MS = 1_000
const CLEAR = '\u001B[H\u001B[J'

/** `npm run cluster [-- FOLDER]`: the reference cluster on this machine until Ctrl-C. A named folder is kept. */
async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [named] = positionals
  const folder = named === undefined ? mkdtempSync(join(tmpdir(), 'portal-cluster-')) : resolve(named)
  mkdirSync(folder, { recursive: true })
  const over = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => over.abort())
  const cluster = await startCluster(folder, console.log, { isOver: over.signal })
  try {
    const logins = cluster.isNew ? await seed(cluster) : []
    await show(cluster, [...logins, `Data and logs: ${folder}`, 'Ctrl-C ends all of it.'], over.signal)
  } finally {
    console.log('\nEnding …')
    await cluster.stop()
    if (named === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes accounts to try the cluster with. */
async function seed({ databaseUrl }: Cluster): Promise<string[]> {
  const { main, cashiers, serials } = await seedTills({ open: () => openPostgresql(databaseUrl, silentLog) }, 1, 20)
  return [
    `Merchant ${main.loginName}, POS user ${cashiers[0]!.loginName}, password of both ${PASSWORD}`,
    `Vouchers ${serials.slice(0, 5).join(', ')} and ${serials.length - 5} more`,
  ]
}

/** Prints the status: to a terminal again and again, to a file only when it has changed. */
async function show(cluster: Cluster, below: string[], over: AbortSignal): Promise<void> {
  let last = ''
  while (!over.aborted) {
    const page = [...(await statusPage(cluster)), ...below].join('\n')
    if (process.stdout.isTTY) console.log(CLEAR + page)
    else if (page !== last) console.log(`\n${page}`)
    last = page
    await sleep(EVERY_MS, undefined, { signal: over }).catch(() => undefined)
  }
}

await exitWithReason(main)
