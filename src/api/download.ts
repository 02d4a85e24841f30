import { FILE_SIZE_HEADER, type Endpoint } from '../contract/endpoint.ts'
import { dailyReport, monthlyReport, transactionReport, type ReportRequest } from '../contract/reports/report.ts'
import { END_LINE } from '../domain/csv.ts'
import type { DownloadedFile } from '../domain/DownloadedFile.ts'
import type { Outcome } from '../domain/Outcome.ts'
import { within } from '../domain/within.ts'
import { ApiError } from './ApiError.ts'
import { sendWithToken } from './call.ts'
import { noteFailures, outcomeOf } from './outcomeOf.ts'
import { ports } from './ports.ts'
import { notOurAnswer, type CallInput } from './transport.ts'

/** Reports the bytes received so far; `total` only if the server sent it. */
export type Progress = (received: number, total: number | undefined) => void

/** A download that receives nothing for this long is given up; a slow one continues. */
const STALL_MS = 60_000

/** Fetches a whole file (rule 10.4). Throws ApiError; CUT_OFF when its end is missing. */
export async function download(endpoint: Endpoint, input: CallInput, progress?: Progress): Promise<DownloadedFile> {
  const response = await sendWithToken(endpoint, input)
  const disposition = response.headers.get('content-disposition')
  if (!disposition || !response.body) throw notOurAnswer()
  const bytes = await readWhole(response, progress)
  ports().onContact('ours')
  return { bytes, filename: filenameOf(disposition), type: response.headers.get('content-type') ?? '' }
}

/** Tries once more when the file was cut off, because a person waits for it. The outbox has its own attempts. */
export const retryIfCutOff = (work: () => Promise<DownloadedFile>): Promise<DownloadedFile> =>
  work().catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'CUT_OFF') return work()
    throw error
  })

/** Reads a file to its end. Throws ApiError CUT_OFF, also if a proxy sent half a file as if it were whole. */
export async function readWhole(response: Response, progress?: Progress): Promise<ArrayBuffer> {
  const size = response.headers.get(FILE_SIZE_HEADER)
  const reader = response.body!.getReader()
  const chunks: Uint8Array[] = []
  let received = 0
  for (;;) {
    const { done, value } = await readChunk(reader)
    if (done) break
    chunks.push(value)
    received += value.byteLength
    progress?.(received, Number(size) || undefined)
  }
  const bytes = await new Blob(chunks as BlobPart[]).arrayBuffer()
  const isWhole = size === null ? hasEnd(bytes, response.headers.get('content-type')) : received === Number(size)
  if (!isWhole) throw makeCutOff()
  return bytes
}

const makeCutOff = (cause?: unknown) =>
  new ApiError({ statusMessage: 'The download was cut off.', code: 'CUT_OFF', cause })

/**
 * True if the file has its end; only needed without a size. A CSV has a last line, a PDF a mark, and a workbook, which is a zip,
 * its last 22 bytes.
 */
function hasEnd(bytes: ArrayBuffer, type: string | null): boolean {
  const end = new TextDecoder('latin1').decode(bytes.slice(-1_024))
  if (type?.startsWith('text/csv')) return end.endsWith(`\n${END_LINE}`)
  if (type?.startsWith('application/pdf')) return end.includes('%%EOF')
  return end.slice(-22).startsWith('PK\u0005\u0006')
}

async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await within(STALL_MS, reader.read(), () => {
      throw new Error('stalled')
    })
  } catch (cause) {
    void reader.cancel().catch(() => undefined)
    throw makeCutOff(cause)
  }
}

/** Reads the file name as RFC 6266 says: the extended form takes precedence, and a path is removed. */
export function filenameOf(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const plain = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replaceAll(/\\(.)/g, '$1')
  const name = extended === undefined ? plain : decodeURIComponent(extended)
  return name?.split(/[/\\]/).at(-1) || 'download'
}

const ENDPOINTS = { transaction: transactionReport, monthly: monthlyReport, daily: dailyReport } as const

/** Fetches the file of one report. `id` is the idempotency key and stays the same in all attempts. Throws ApiError. */
export const reportFile = (
  { report, params }: ReportRequest,
  id: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<DownloadedFile> => {
  const input: CallInput = { body: params, headers: { 'idempotency-key': id }, signal }
  return download(ENDPOINTS[report], input, progress)
}

/** Fetches a report for the outbox: notes a failure on the device, and returns the outcome instead of throwing. */
export const sendReport = (...input: Parameters<typeof reportFile>): Promise<Outcome<DownloadedFile>> =>
  outcomeOf(noteFailures(() => reportFile(...input)))
