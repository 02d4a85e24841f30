import * as v from 'valibot'
import { ERROR_STATUS, Failure, type ErrorCode } from '../contract/envelope.ts'
import type { Presigned } from '../contract/uploads.ts'
import { ApiError } from './ApiError.ts'
import { ports } from './ports.ts'
import { notOurAnswer } from './transport.ts'

interface PutOptions {
  /** Called with the bytes sent so far. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** When no bytes have moved for this long, the connection counts as lost; the browser itself would wait for minutes. */
const STALL_MS = 30_000

/**
 * PUTs a file to its presigned address, without token or cookie (rule 13.4). It uses XMLHttpRequest, since fetch does not report
 * how much has been sent. Throws ApiError, or the reason of an aborted `signal`.
 */
export function putFile({ url, headers }: Presigned, file: Blob, { onProgress, signal }: PutOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    let stall = setTimeout(abort, STALL_MS)
    const restartStall = () => {
      clearTimeout(stall)
      stall = setTimeout(abort, STALL_MS)
    }
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => {
      restartStall()
      onProgress(loaded)
    }
    request.onload = () => (isStored(request) ? resolve() : reject(readRefusal(request)))
    request.onerror = () => reject(connectionLost())
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : connectionLost())
    request.onloadend = () => {
      clearTimeout(stall)
      signal.removeEventListener('abort', abort)
    }
    signal.addEventListener('abort', abort)
    if (signal.aborted) return reject(signal.reason as Error)
    request.send(file)
    return undefined
  })
}

/** True when the store has the file: the login page of a hotel network also answers 200, and stores nothing. */
const isStored = (request: XMLHttpRequest) =>
  (request.status === 200 || request.status === 201) &&
  !request.getResponseHeader('content-type')?.includes('text/html')

function connectionLost(): ApiError {
  ports().onContact('silent')
  return new ApiError({ statusMessage: 'The upload was cut off.', code: 'NETWORK' })
}

/** The embedded store refuses as the portal does. Any other store answers in XML, which the user does not see. */
function readRefusal({ status, responseText }: XMLHttpRequest): ApiError {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Failure), responseText)
  if (!parsed.success) return notOurAnswer(status)
  const { message, error, data, request_id } = parsed.output
  return new ApiError({
    statusMessage: message,
    statusCode: status,
    data,
    code: error in ERROR_STATUS ? (error as ErrorCode) : 'INTERNAL',
    requestId: request_id,
  })
}
