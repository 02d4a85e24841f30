import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, type Config } from './config.ts'
import { openDatabase } from './db/engine/openDatabase.ts'
import { DeskError } from './desk/Desk.ts'
import { HELP, readCommand } from './desk/readCommand.ts'
import { runCommand } from './desk/runCommand.ts'
import { endCommand } from './explainError.ts'
import { printable } from './log.ts'
import { sendDueMail } from './mail/mailSender.ts'
import { openMailTransport } from './mail/MailTransport.ts'
import { commandLog } from './output.ts'
import { findSealingKey } from './secrets/loadSecrets.ts'

// The provider's desk on the command line (rule 5.10). It has the same rules as the pages, and uses the database that the
// environment names.

const clock = { now: () => new Date() }
const print = (text: string) => void process.stdout.write(`${text}\n`)
const log = commandLog(clock)

// A pipe into `head` ends early. The command still finishes its work and closes the database.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2))
  if (!command) return print(HELP)
  const config = readConfig(process.env)
  const database = await openDatabase(databasePlace(config), log, { by: 'command' })
  let hasMail = false
  try {
    const wakeMailSender = () => void (hasMail = true)
    const secrets = findSealingKey(config)
    await runCommand({ database, clock, secrets, settings: settingsOf(config), wakeMailSender, print }, command)
    if (hasMail) await sendMail(config, { database, clock, log })
  } finally {
    await database.close()
  }
}

function databasePlace({ databaseUrl, dataDir }: Config) {
  if (databaseUrl !== undefined || existsSync(join(dataDir, 'postgres'))) return { databaseUrl, dataDir }
  throw new DeskError(`There is no database in ${dataDir}: start the portal first, or set DATA_DIR or DATABASE_URL.`)
}

const settingsOf = ({ mfa = 'required', ...settings }: Config) => ({ ...settings, mfa })

/** Sends mail at once, because perhaps no server is running. The next server to run sends what is left. */
async function sendMail(config: Config, deps: Parameters<typeof sendDueMail>[0]): Promise<void> {
  const transport = openMailTransport(config, ({ to, subject, link }) =>
    print(printable(`Mail for ${to}: ${subject} ${link ?? ''}`)),
  )
  await sendDueMail(deps, transport)
  transport.close()
}

main().catch(endCommand)
