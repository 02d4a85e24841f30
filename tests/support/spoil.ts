import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a release's folder, or what stands before it, makes of one of its files. */
export type FileFault =
  | { kind: 'missing' }
  /** A page in its place, with status 200 and its own type. */
  | { kind: 'page' }
  /** The same, said to be a script and to be kept for a year. */
  | { kind: 'page as script' }
  /** The first half of the file, complete as far as HTTP can tell. */
  | { kind: 'half' }
  | { kind: 'failure' }
  | { kind: 'text'; text: string }

const PAGE = '<!doctype html><title>Free Wi-Fi</title><h1>Accept the terms to continue</h1>'

/** The answer for a spoilt file of the release in `directory`. */
export function faultyFile(fault: FileFault, directory: string, path: string): Response {
  const script = { 'content-type': 'text/javascript', 'cache-control': 'no-cache' }
  const forAYear = { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=31536000, immutable' }
  switch (fault.kind) {
    case 'missing':
      return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } })
    case 'page':
      return new Response(PAGE, { headers: { 'content-type': 'text/html' } })
    case 'page as script':
      return new Response(PAGE, { headers: forAYear })
    case 'half': {
      const whole = readFileSync(join(directory, path))
      return new Response(new Uint8Array(whole.subarray(0, whole.length / 2)), { headers: forAYear })
    }
    case 'failure':
      return new Response('<!doctype html><title>500</title>', {
        status: 500,
        headers: { 'content-type': 'text/html' },
      })
    case 'text':
      return new Response(fault.text, { headers: script })
  }
}
