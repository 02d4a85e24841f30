import { timingSafeEqual } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import type { Clock } from '../Clock.ts'
import { PUT_SECONDS, type GetTerms, type ObjectName, type PresignedPut, type PutTerms } from './FileStore.ts'

/** Where objects lie, and the keys to it: a bucket of an S3 service, or the portal's own folder. */
export interface Bucket {
  /** With the bucket's name as its path, without a slash at the end. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface Signable {
  method: 'GET' | 'PUT' | 'DELETE'
  url: string
  /** All of them are signed, type and length included: the store takes the request with these or not at all. */
  headers?: Record<string, string>
  /** How long it is good. */
  seconds: number
  at: Date
}

/** AWS Signature Version 4 in the query. The one place that signs: for S3, for the embedded store, and to check the latter. */
export async function presignedUrl(
  bucket: Omit<Bucket, 'url'>,
  { seconds, at, ...request }: Signable,
): Promise<string> {
  const url = new URL(request.url)
  url.searchParams.set('X-Amz-Expires', String(seconds))
  const { region, accessKeyId, secretAccessKey } = bucket
  const signer = new AwsV4Signer({
    ...request,
    url: url.href,
    datetime: amzDate(at),
    service: 's3',
    region,
    accessKeyId,
    secretAccessKey,
    signQuery: true,
    allHeaders: true,
  })
  return (await signer.sign()).url.href
}

/** `20261121T020000Z`. */
const amzDate = (at: Date): string => at.toISOString().replaceAll(/[:-]|\.\d{3}/g, '')

interface Presigner {
  put(name: ObjectName, terms: PutTerms): Promise<PresignedPut>
  get(name: ObjectName, terms: GetTerms, seconds: number): Promise<string>
}

/** Presigned addresses of one bucket, alike for every store. `once`: a second PUT is refused by the store itself. */
export function presigner(bucket: Bucket, clock: Clock, { once }: { once: boolean }): Presigner {
  return {
    async put(name, { contentType, contentLength }) {
      const at = clock.now()
      const sent = { 'content-type': contentType, ...(once ? { 'if-none-match': '*' } : {}) }
      const headers = { ...sent, 'content-length': String(contentLength) }
      const url = `${bucket.url}/${name}`
      return {
        url: await presignedUrl(bucket, { method: 'PUT', url, headers, seconds: PUT_SECONDS, at }),
        headers: sent,
        expiresAt: new Date(at.getTime() + PUT_SECONDS * 1_000),
      }
    },
    get(name, { contentType, contentDisposition }, seconds) {
      const url = new URL(`${bucket.url}/${name}`)
      url.searchParams.set('response-content-type', contentType)
      url.searchParams.set('response-content-disposition', contentDisposition)
      return presignedUrl(bucket, { method: 'GET', url: url.href, seconds, at: clock.now() })
    },
  }
}

export interface SignedRequest {
  method: 'GET' | 'PUT'
  /** Below the bucket, with the query as it came. */
  path: string
  query: string
  header(name: string): string | undefined
}

/** The longest life an address may claim. */
const LONGEST_SECONDS = 60 * 60

/**
 * Whether the request is one of `bucket`'s presigned addresses, used as it was meant and in time: its parts are signed once
 * more and the signatures compared. Headers that must be covered are named in `covered`, beyond the host.
 */
export async function isSignedByUs(
  bucket: Bucket,
  { method, path, query, header }: SignedRequest,
  covered: readonly string[],
  now: Date,
): Promise<boolean> {
  const given = new URLSearchParams(query)
  const names = [...given.keys()]
  if (new Set(names).size !== names.length) return false
  const at = readAmzDate(given.get('X-Amz-Date') ?? '')
  const seconds = readSeconds(given.get('X-Amz-Expires') ?? '')
  if (!at || !seconds || !isCurrent(at, seconds, now)) return false
  const headers: Record<string, string> = {}
  for (const name of covered) {
    const value = header(name)
    if (value === undefined) return false
    headers[name] = value
  }
  const url = new URL(bucket.url + path)
  for (const [name, value] of given) if (!name.startsWith('X-Amz-')) url.searchParams.set(name, value)
  const expected = new URL(await presignedUrl(bucket, { method, url: url.href, headers, seconds, at })).searchParams
  return names.length === expected.size && names.every((name) => same(given.get(name), expected.get(name)))
}

function readAmzDate(text: string): Date | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text)?.map(String) ?? []
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function readSeconds(text: string): number | undefined {
  const seconds = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0
  return seconds > 0 && seconds <= LONGEST_SECONDS ? seconds : undefined
}

/** Clocks of several servers are not quite alike. */
const SKEW_MS = 60_000

const isCurrent = (at: Date, seconds: number, now: Date) =>
  at.getTime() <= now.getTime() + SKEW_MS && now.getTime() < at.getTime() + seconds * 1_000

function same(given: string | null, expected: string | null): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected ?? '')]
  return expected !== null && a.length === b.length && timingSafeEqual(a, b)
}
