import { restoreEmbedded, saveEmbedded } from './backup/embeddedBackup.ts'
import { readConfig, type Config } from './config.ts'
import { openDatabase } from './db/engine/openDatabase.ts'
import { DeskError } from './desk/Desk.ts'
import { checkLedger, skipReceipts } from './desk/voucherDesk.ts'
import { endCommand } from './explainError.ts'
import { commandLog } from './output.ts'

// Backup and restore of the server's own PostgreSQL on the command line (docs/OPERATIONS.md).

const USAGE = `npm run backup -- save PLACE
npm run backup -- restore PLACE
PLACE is a folder.`

const print = (text: string) => void process.stdout.write(`${text}\n`)
const log = commandLog({ now: () => new Date() })

async function main(): Promise<void> {
  const [command, place, ...rest] = process.argv.slice(2)
  if (place === undefined || rest.length > 0) throw new DeskError(USAGE)
  const config = readConfig(process.env)
  if (config.databaseUrl !== undefined) throw new DeskError(EXTERNAL_DATABASE)
  if (command === 'save') return save(config, place)
  if (command === 'restore') return restore(config, place)
  throw new DeskError(USAGE)
}

/** Refuses an external PostgreSQL: its own pg_dump and pg_restore fit its version. */
const EXTERNAL_DATABASE = `Save the PostgreSQL of DATABASE_URL with pg_dump, and restore it with pg_restore.
After a restore, before servers start: npm run provider -- skip-receipts, then check-ledger.`

async function save({ dataDir }: Config, place: string): Promise<void> {
  const started = performance.now()
  await saveEmbedded(dataDir, place, log)
  print(`Saved to ${place} in ${secondsSince(started)} seconds.`)
}

/**
 * Restores a backup, and skips receipt numbers that may have been given after it. Then checks the ledger, which proves that the backup is complete.
 */
async function restore(config: Config, place: string): Promise<void> {
  const started = performance.now()
  await restoreEmbedded(place, config.dataDir, log)
  print(`Restored from ${place} in ${secondsSince(started)} seconds.`)
  const database = await openDatabase(config, log)
  try {
    await skipReceipts({ database, print })
    await checkLedger({ database, print })
  } finally {
    await database.close()
  }
}

const secondsSince = (started: number) => ((performance.now() - started) / 1_000).toFixed(1)

main().catch(endCommand)
