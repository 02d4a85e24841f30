import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pdfFault } from '../../../src/domain/merchants/uploadRules.ts'
import { Unavailable } from '../../store/FileStore.ts'
import { Refusal } from '../Refusal.ts'
import type { CheckedFile } from './validateImage.ts'

/** A real agreement takes half a second, mostly to start the process, and several seconds on a busy machine. */
const TIMEOUT_MS = 20_000
const ROOT = join(import.meta.dirname, '../../..')
const READER = [process.execPath, '--max-old-space-size=256', join(import.meta.dirname, 'inspectPdf.js')]
/** A compressed stream may grow to a thousand times its size, in memory that the option above does not limit. */
const MEMORY_KB = 500_000
const LIMITED_READER = ['/bin/sh', '-c', `ulimit -d ${MEMORY_KB}; exec "$0" "$@"`, ...READER]
const [PROGRAM = '', ...ARGUMENTS] = process.platform === 'win32' ? READER : LIMITED_READER
/** The number of pages, or the reason for a refusal. */
export type PdfVerdict = { pages: number } | { fault: string }

/**
 * Returns the PDF in `bytes` unchanged, because it may carry a signature. Throws Refusal INVALID_PDF unless the file is a complete PDF, is not
 * encrypted and does nothing when it is opened; the reason is at `path` (rule 13.2, UPL-06). Throws Unavailable when reading takes too long.
 */
export async function validatePdf(bytes: Uint8Array, path: string): Promise<CheckedFile> {
  const fault = pdfFault(bytes)
  if (fault) throw invalidPdf(path, fault.message)
  const verdict = await inspectInProcess(bytes)
  if ('fault' in verdict) throw invalidPdf(path, verdict.fault)
  return { bytes, contentType: 'application/pdf', width: null, height: null, pages: verdict.pages }
}

/**
 * Reads the file in its own process without environment variables: a parser of strangers' files must not hold up the server, exhaust its memory or
 * find its secrets.
 */
async function inspectInProcess(bytes: Uint8Array): Promise<PdfVerdict> {
  const child = spawn(PROGRAM, ARGUMENTS, {
    cwd: ROOT,
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  // The process may die before it has read everything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(bytes)
  const ended = new Promise<void>((resolve, reject) => child.once('close', () => resolve()).once('error', reject))
  const [output] = await Promise.all([text(child.stdout), ended])
  // Slowness may not be the file's fault, so the caller is not told that the file is bad.
  if (child.signalCode === 'SIGKILL') throw new Unavailable('STORE_UNAVAILABLE', 'a PDF was not read in time')
  return output === '' ? { fault: 'is damaged. Open it and print it to a new PDF' } : (JSON.parse(output) as PdfVerdict)
}

const invalidPdf = (path: string, message: string) =>
  new Refusal('INVALID_PDF', { fields: [{ path, rule: 'pdf', message }] })
