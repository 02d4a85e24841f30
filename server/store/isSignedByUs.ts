import { timingSafeEqual } from 'node:crypto'
import { type Bucket, presignedUrl } from './presignedUrl.ts'

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
