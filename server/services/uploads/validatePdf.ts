import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pdfFault } from '../../../src/domain/merchants/uploadRules.ts'
import { Unavailable } from '../../store/FileStore.ts'
import { Refusal } from '../Refusal.ts'
import type { CheckedFile } from './validateImage.ts'

/** A real agreement takes half a second, most of it the start of the process; on a busy machine several. */
const PATIENCE_MS = 20_000
const ROOT = join(import.meta.dirname, '../../..')
const READER = [process.execPath, '--max-old-space-size=256', join(import.meta.dirname, 'inspectPdf.js')]
/** A stream may unfold to a thousand times its size, outside of what the option above counts. */
const MEMORY_KB = 500_000
const LIMITED = ['/bin/sh', '-c', `ulimit -d ${MEMORY_KB}; exec "$0" "$@"`, ...READER]
const [PROGRAM = '', ...ARGUMENTS] = process.platform === 'win32' ? READER : LIMITED
/** How many pages it has, or why it is refused. */
export type PdfVerdict = { pages: number } | { fault: string }

/**
 * The PDF in `bytes`, unchanged, for it may carry a signature. Throws Refusal INVALID_PDF for what is not a whole PDF, is
 * encrypted, or would do something when it is opened, with the reason at `path` (rule 13.2, UPL-06). Throws Unavailable
 * when it takes too long.
 */
export async function validatePdf(bytes: Uint8Array, path: string): Promise<CheckedFile> {
  const fault = pdfFault(bytes)
  if (fault) throw invalidPdf(path, fault.message)
  const verdict = await readApart(bytes)
  if ('fault' in verdict) throw invalidPdf(path, verdict.fault)
  return { bytes, contentType: 'application/pdf', width: null, height: null, pages: verdict.pages }
}

/**
 * In a process of its own, which knows nothing of ours: a parser of strangers' files must neither hold up the server, nor take
 * it down with what a file unfolds to, nor find a secret in its environment.
 */
async function readApart(bytes: Uint8Array): Promise<PdfVerdict> {
  const child = spawn(PROGRAM, ARGUMENTS, {
    cwd: ROOT,
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  // It may die before it has read everything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(bytes)
  const ended = new Promise<void>((resolve, reject) => child.once('close', () => resolve()).once('error', reject))
  const [said] = await Promise.all([text(child.stdout), ended])
  // Too slow is no fault of the file for certain, so it is not told that it has one.
  if (child.signalCode === 'SIGKILL') throw new Unavailable('STORE_UNAVAILABLE', 'a PDF was not read in time')
  return said === '' ? { fault: 'is damaged. Open it and print it to a new PDF' } : (JSON.parse(said) as PdfVerdict)
}

const invalidPdf = (path: string, message: string) =>
  new Refusal('INVALID_PDF', { fields: [{ path, rule: 'pdf', message }] })
