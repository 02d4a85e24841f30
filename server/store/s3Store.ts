import type { Clock } from '../Clock.ts'
import { Unavailable, type FileStore, type ObjectName } from './FileStore.ts'
import { presignedUrl, presigner, type Bucket } from './presignedUrl.ts'

export interface S3Options extends Omit<Bucket, 'url'> {
  endpoint: string
  bucket: string
  /** Off for stores that do not know `If-None-Match` on a PUT. */
  conditionalPut: boolean
}

/** A call of ours is signed for this long: the clock of the store may be another one. */
const SIGNED_SECONDS = 30
/** The largest file takes a tenth of it; somebody waits for the answer, and can try again. */
const PATIENCE_MS = 10_000

/** Objects of a bucket, addressed path-style, of S3 or a service that speaks its protocol. */
export function s3Store({ endpoint, bucket: name, conditionalPut, ...keys }: S3Options, clock: Clock): FileStore {
  const bucket: Bucket = { ...keys, url: `${endpoint}/${name}` }
  const { put, get } = presigner(bucket, clock, { once: conditionalPut })

  async function send(
    method: 'GET' | 'PUT' | 'DELETE',
    object: ObjectName,
    file?: { bytes: Uint8Array; type: string },
  ) {
    const url = `${bucket.url}/${object}`
    const headers: Record<string, string> = file ? { 'content-type': file.type } : {}
    const signed = await presignedUrl(bucket, { method, url, headers, seconds: SIGNED_SECONDS, at: clock.now() })
    return fetch(signed, {
      method,
      headers,
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(file ? { body: new Uint8Array(file.bytes) } : {}),
    })
  }

  return {
    origin: new URL(endpoint).origin,
    presignPut: put,
    presignGet: get,
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

/** A store that is away, slow or refuses our keys is no defect of the request. */
async function answered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw new Unavailable('STORE_UNAVAILABLE', error)
  }
}

/** That there is no such file; a missing bucket, which is 404 too, is a mistake in our settings. */
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

/** A body left unread keeps its connection. */
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
