import { join } from 'node:path'
import type { Config } from '../config.ts'
import { fileTransport } from './fileTransport.ts'
import type { MailTransport } from './MailTransport.ts'
import { smtpTransport } from './smtpTransport.ts'

/** The mail server of the configuration; without one a folder in DATA_DIR, with each link given to `print`. */
export function openMailTransport(
  { smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  print: (line: string) => void,
): MailTransport {
  if (smtpUrl !== undefined) return smtpTransport(smtpUrl, mailFrom)
  return fileTransport(join(dataDir, 'outbox'), mailFrom, print)
}
