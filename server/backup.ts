import { restoreEmbedded, saveEmbedded } from './backup/embeddedBackup.ts'
import { restorePostgres, savePostgres } from './backup/postgresBackup.ts'
import { readConfig, type Config } from './config.ts'
import { openDatabase } from './db/engine/openDatabase.ts'
import { DeskError } from './desk/Desk.ts'
import { checkLedger, skipReceipts } from './desk/voucherDesk.ts'
import { endCommand } from './explainError.ts'
import { jsonLog } from './log.ts'

// Backup and restore on the command line, of the database that the environment names (docs/OPERATIONS.md).

const USAGE = `npm run backup -- save PLACE
npm run backup -- restore PLACE
PLACE is a file with DATABASE_URL or BACKUP_RECIPIENT, and a folder without.`

const print = (text: string) => void process.stdout.write(`${text}\n`)
/** What is worth a warning while a command runs is not its output. */
const log = {
  ...jsonLog(
    (line) => process.stderr.write(line),
    () => new Date(),
  ),
  info: () => undefined,
}

async function main(): Promise<void> {
  const [command, place, ...rest] = process.argv.slice(2)
  if (place === undefined || rest.length > 0) throw new DeskError(USAGE)
  const config = readConfig(process.env)
  if (command === 'save') return save(config, place)
  if (command === 'restore') return restore(config, place)
  throw new DeskError(USAGE)
}

async function save({ databaseUrl, dataDir, backup }: Config, place: string): Promise<void> {
  const started = performance.now()
  await (databaseUrl === undefined
    ? saveEmbedded(dataDir, place, log, backup)
    : savePostgres(databaseUrl, place, backup))
  const how = backup.recipient === undefined ? ', NOT ENCRYPTED: BACKUP_RECIPIENT is not set' : ', encrypted'
  print(`Saved to ${place} in ${secondsSince(started)} seconds${how}.`)
}

/** Ends with the ledger check: a backup that was never restored and counted is a hope. */
async function restore(config: Config, place: string): Promise<void> {
  const { databaseUrl, dataDir, backup } = config
  const started = performance.now()
  await (databaseUrl === undefined
    ? restoreEmbedded(place, dataDir, log, backup)
    : restorePostgres(databaseUrl, place, backup))
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
