import { randomUUID } from 'node:crypto'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { branchForm, branchRecord } from '../../support/api/forms.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { signedInClient, type SignedInClient } from '../../support/api/signedInClient.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { sentStatements } from '../../support/database/sentStatements.ts'
import { startTestPostgres } from '../../support/database/testDatabase.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import { testServer } from '../../support/server/testServer.ts'
import type { Comparison } from '../comparison.ts'
import { withServer, type BenchServer } from '../load/benchDatabase.ts'
import { waitForQuietMachine } from '../quietMachine.ts'

const ROWS = LIMITS.importRows
/** Of the forms that are sent one after the other. */
const SINGLES = 200

/**
 * 5,000 branches over HTTP on PostgreSQL, in batches one after the other as the portal sends them, beside as many forms: the
 * time of a row and the statements it costs. Most of the time of either is the hash of the PIN.
 */
export const compareImport = async (): Promise<Comparison[]> => [
  await withServer(timeOfRow, { MFA: 'optional' }),
  await statementsOfRow(),
]

async function timeOfRow({ url, server }: BenchServer): Promise<Comparison> {
  const database = await openPostgresql(url, silentLog)
  const { main } = await makeMerchant(database.db)
  await database.close()
  const merchant = await signedInClient((path, init) => fetch(server.url + path, init), main)
  await waitForQuietMachine()
  const imported = await secondsOf(() => importAll(merchant, ROWS))
  const single = await secondsOf(() => createAll(merchant, SINGLES))
  console.log(`${ROWS} branches in ${imported.toFixed(1)} s, ${(ROWS / imported).toFixed(0)} a second`)
  return {
    what: `import of ${ROWS.toLocaleString('en')} branches, a row`,
    product: (imported * 1_000) / ROWS,
    baseline: (single * 1_000) / SINGLES,
    unit: 'ms',
    against: 'the form, one after the other',
  }
}

/** In this process, where what is sent to the database can be counted. */
async function statementsOfRow(): Promise<Comparison> {
  const postgres = await startTestPostgres('shipped')
  process.env['TEST_DATABASE_URL'] = postgres.url
  const server = await testServer()
  try {
    const ask: Ask = (path, init) => server.app.request(path, init)
    const merchant = await signedInClient(ask, (await makeMerchant(server.database.db)).main)
    const imported = await sentStatements(() => importAll(merchant, LIMITS.importBatch))
    const single = await sentStatements(() => createAll(merchant, 1))
    return {
      what: `statements of ${LIMITS.importBatch} branches`,
      product: imported.length,
      baseline: single.length * LIMITS.importBatch,
      unit: 'statements',
      against: 'the form',
    }
  } finally {
    await server.close()
    await postgres.stop()
  }
}

async function importAll(merchant: SignedInClient, rows: number): Promise<void> {
  const import_id = randomUUID()
  for (let first = 1; first <= rows; first += LIMITS.importBatch) {
    const batch = Array.from({ length: LIMITS.importBatch }, (_, n) => ({ number: first + n, record: record() }))
    const { status, data } = await merchant.post<{ rows: { outcome: string }[] }>('/branch/import', {
      import_id,
      rows: batch,
    })
    const created = status === 200 && data.rows.every(({ outcome }) => outcome === 'created')
    if (!created) throw new Error(`a batch gave ${status}`)
  }
}

const record = () => branchRecord({ code: randomUUID().slice(0, 18) })

async function createAll(merchant: SignedInClient, amount: number): Promise<void> {
  for (let n = 0; n < amount; n += 1) {
    const { status } = await merchant.post('/branch', branchForm({ code: randomUUID().slice(0, 18) }))
    if (status !== 200) throw new Error(`a form gave ${status}`)
  }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1_000
}
