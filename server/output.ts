import { formatTime } from '../src/domain/singaporeTime.ts'
import type { Clock } from './Clock.ts'
import { describeDemo, type Demo } from './demo/prepareDemo.ts'
import { jsonLog, printable, type Facts, type Log } from './log.ts'
import type { WrittenMail } from './mail/MailTransport.ts'

/** The facts that the server prints when it has started. Each fact is a word or a short phrase. */
export interface Started extends Facts {
  url: string
  database: string
  mail: string
  files: string
}

/** Writes what the server says about itself: sentences on a terminal, JSON lines into a pipe. */
export interface ServerOutput {
  log: Log
  started(facts: Started, demo: Demo | undefined): void
  mailWritten(mail: WrittenMail): void
}

export const serverOutput = (isTerminal: boolean, write: (text: string) => void, { now }: Clock): ServerOutput =>
  isTerminal ? terminalOutput(write, now) : jsonOutput(write, now)

/** Writes JSON lines. A log may be kept and copied, so it names the file of an email, never the link in it (rule 17.4). */
function jsonOutput(write: (text: string) => void, now: () => Date): ServerOutput {
  const log = jsonLog(write, now)
  return {
    log,
    started: (facts, demo) => log.info('started', { ...facts, demo: demo !== undefined }),
    mailWritten: ({ file }) => log.info('mail_written', { file }),
  }
}

function terminalOutput(write: (text: string) => void, now: () => Date): ServerOutput {
  return {
    log: terminalLog(write, now),
    started: ({ url, database, mail, files }, demo) =>
      write(
        `\nMerchant portal: ${url}\n\nDatabase: ${database}\nMail: ${mail}\nFiles: ${files}\nCtrl+C stops the server.\n\n${demo ? describeDemo(demo) : ''}`,
      ),
    mailWritten: ({ to, subject, link }) => {
      const what = `${formatTime(now())}  Mail for ${to}: ${subject}`
      write(`${[what, ...(link === undefined ? [] : [`       ${link}`])].map(printable).join('\n')}\n`)
    },
  }
}

/** Writes warnings and errors as short lines with Singapore time. A line for every request would hide them, so other events are left out. */
function terminalLog(write: (text: string) => void, now: () => Date): Log {
  const writeLine =
    (level: string) =>
    (event: string, facts: Facts = {}) => {
      const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null)
      const details = known.map(([name, value]) => `${toWords(name)} ${String(value)}`).join(', ')
      write(`${printable(`${formatTime(now())}  ${level}: ${toWords(event)}${details && ` (${details})`}`)}\n`)
    }
  return { info: () => undefined, warn: writeLine('Warning'), error: writeLine('Error') }
}

const toWords = (name: string) => name.replaceAll('_', ' ')

/** Returns the log of a command. Warnings and errors go to stderr, because they are not output. Other events are left out. */
export function commandLog({ now }: Clock): Log {
  const write = (text: string) => void process.stderr.write(text)
  const log = process.stderr.isTTY ? terminalLog(write, now) : jsonLog(write, now)
  return { ...log, info: () => undefined }
}
