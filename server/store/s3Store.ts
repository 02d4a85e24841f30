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
  /** Off for stores that do not support `If-None-Match` on a PUT. */
  conditionalPut: boolean
}

interface Signable {
  method: 'GET' | 'PUT' | 'DELETE'
  url: string
  /** All are signed, type and length included: the store accepts the request only with exactly these. */
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

/** The server's own calls are signed for this long: the store's clock may differ. */
const SIGNED_SECONDS = 30
/** The largest file takes a tenth of this; a user is waiting, and can try again. */
const PATIENCE_MS = 10_000

/** Stores objects in a bucket, addressed path-style, of S3 or a service with the same protocol. */
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
      signal: AbortSignal.timeout(PATIENCE_MS),
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
    read: (object, atMost) =>
      answered(async () => {
        const response = await send('GET', object)
        if (await isMissing(response)) return undefined
        await expectOk(response)
        return readUpTo(response, atMost)
      }),
    write: (object, bytes, type) =>
      answered(async () => drained(await expectOk(await send('PUT', object, { bytes, type })), undefined)),
    remove: (object) =>
      answered(async () => {
        const response = await send('DELETE', object)
        if (await isMissing(response)) return undefined
        return drained(await expectOk(response), undefined)
      }),
  }
}

/** Reports a store that is away, slow or refuses our keys as Unavailable: the request is not at fault. */
async function answered<T>(call: () => Promise<T>): Promise<T> {
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

/** Discards the body: an unread body keeps its connection. */
async function drained<T>(response: Response, value: T): Promise<T> {
  await response.body?.cancel()
  return value
}

async function readUpTo(response: Response, atMost: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array)
    size += (chunk as Uint8Array).byteLength
    if (size >= atMost) break
  }
  return Buffer.concat(chunks).subarray(0, atMost)
}
