import { AwsV4Signer } from 'aws4fetch'
import type { Clock } from '../Clock.ts'
import { PUT_SECONDS, Unavailable, type FileStore, type ObjectName } from './FileStore.ts'

interface Keys {
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface S3Options extends Keys {
  endpoint: string
  bucket: string
  /** False for stores that do not support `If-None-Match` on a PUT. */
  conditionalPut: boolean
}

interface Signable {
  method: 'GET' | 'PUT' | 'DELETE'
  url: string
  /** All of them are signed, so the store accepts the request only with exactly these headers. */
  headers?: Record<string, string>
  /** How long the address is valid. */
  seconds: number
  at: Date
}

/** Signs a URL with AWS Signature Version 4 in the query. */
export async function presignedUrl(
  { region, accessKeyId, secretAccessKey }: Keys,
  { seconds, at, ...request }: Signable,
): Promise<string> {
  const url = new URL(request.url)
  url.searchParams.set('X-Amz-Expires', String(seconds))
  const signer = new AwsV4Signer({
    ...request,
    url: url.href,
    // `20261121T020000Z`.
    datetime: at.toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    service: 's3',
    region,
    accessKeyId,
    secretAccessKey,
    signQuery: true,
    allHeaders: true,
  })
  return (await signer.sign()).url.href
}

/** How long the server's own calls are valid: the store's clock may differ. */
const SIGNED_SECONDS = 30
/** Ten times what the largest file takes. A user is waiting, and can try again. */
const TIMEOUT_MS = 10_000

/** Stores files in a bucket of S3 or of a service with the same protocol, with path-style addresses. */
export function s3Store({ endpoint, bucket, conditionalPut, ...keys }: S3Options, clock: Clock): FileStore {
  const urlOf = (object: ObjectName) => `${endpoint}/${bucket}/${object}`

  async function send(
    method: 'GET' | 'PUT' | 'DELETE',
    object: ObjectName,
    file?: { bytes: Uint8Array; type: string },
  ) {
    const headers: Record<string, string> = file ? { 'content-type': file.type } : {}
    const request = { method, url: urlOf(object), headers, seconds: SIGNED_SECONDS, at: clock.now() }
    return fetch(await presignedUrl(keys, request), {
      method,
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(file ? { body: new Uint8Array(file.bytes) } : {}),
    })
  }

  return {
    origin: new URL(endpoint).origin,
    async presignPut(object, { contentType, contentLength }) {
      const at = clock.now()
      // With this condition the store itself refuses a second PUT.
      const sent = { 'content-type': contentType, ...(conditionalPut ? { 'if-none-match': '*' } : {}) }
      const headers = { ...sent, 'content-length': String(contentLength) }
      return {
        url: await presignedUrl(keys, { method: 'PUT', url: urlOf(object), headers, seconds: PUT_SECONDS, at }),
        headers: sent,
        expiresAt: new Date(at.getTime() + PUT_SECONDS * 1_000),
      }
    },
    presignGet(object, { contentType, contentDisposition }, seconds) {
      const url = new URL(urlOf(object))
      url.searchParams.set('response-content-type', contentType)
      url.searchParams.set('response-content-disposition', contentDisposition)
      return presignedUrl(keys, { method: 'GET', url: url.href, seconds, at: clock.now() })
    },
    read: (object, maxBytes) =>
      runCall(async () => {
        const response = await send('GET', object)
        if (await isMissing(response)) return undefined
        await expectOk(response)
        return readUpTo(response, maxBytes)
      }),
    write: (object, bytes, type) =>
      runCall(async () => discardBody(await expectOk(await send('PUT', object, { bytes, type })), undefined)),
    remove: (object) =>
      runCall(async () => {
        const response = await send('DELETE', object)
        if (await isMissing(response)) return undefined
        return discardBody(await expectOk(response), undefined)
      }),
  }
}

/** Runs a call to the store. Every error becomes Unavailable: the store is away or slow, or refuses our keys. */
async function runCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw new Unavailable('STORE_UNAVAILABLE', error)
  }
}

/** True if there is no such file. A missing bucket, also a 404, is a mistake in the settings and throws. */
async function isMissing(response: Response): Promise<boolean> {
  if (response.status !== 404) return false
  const text = await response.text()
  if (text.includes('NoSuchBucket')) throw refusedBy(404, text)
  return true
}

async function expectOk(response: Response): Promise<Response> {
  if (response.ok) return response
  throw refusedBy(response.status, await response.text())
}

const refusedBy = (status: number, text: string) => new Error(`the store answered ${status}: ${text.slice(0, 500)}`)

/** Discards the body, because an unread body keeps its connection occupied. Returns `value`. */
async function discardBody<T>(response: Response, value: T): Promise<T> {
  await response.body?.cancel()
  return value
}

async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array)
    size += (chunk as Uint8Array).byteLength
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
