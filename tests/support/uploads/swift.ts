import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { presignedUrl } from '../../../server/store/s3Store.ts'
import type { S3Options } from '../../../server/store/s3Store.ts'

/** Debian's own interpreter, since its packages work with no other. */
export const PYTHON = '/usr/bin/python3'
const SWIFT = '/usr/lib/python3/dist-packages/swift'

const swiftIsInstalled = (): boolean => existsSync(SWIFT)

export type Swift = Awaited<ReturnType<typeof startSwift>>

/**
 * Starts a temporary OpenStack Swift with its S3 interface, a store that really verifies signatures. The release in Debian does not know
 * `If-None-Match` on a PUT.
 * @throws Error when python3-swift is not installed, or with its last output when it does not start.
 */
export async function startSwift() {
  if (!swiftIsInstalled()) throw new Error('OpenStack Swift is not installed: apt-get install python3-swift')
  const folder = mkdtempSync(join(tmpdir(), 'portal-swift-'))
  const server = spawn(PYTHON, [join(import.meta.dirname, 'swiftServer.py'), folder], { cwd: folder, stdio: 'pipe' })
  const stop = () => {
    process.off('exit', stop)
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  let lastWords = ''
  server.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-2_000)
  })
  /** An empty bucket for this server. */
  const options: S3Options = {
    endpoint: `http://127.0.0.1:${await firstLine(server.stdout)}`,
    bucket: 'uploads',
    region: 'us-east-1',
    accessKeyId: 'test:tester',
    secretAccessKey: 'testing',
    conditionalPut: false,
  }
  const made = await makeBucket(options).catch(() => undefined)
  if (made?.ok) return { options, stop }
  stop()
  throw new Error(`Swift did not start: ${(await made?.text()) ?? lastWords}`)
}

/** Returns the first line, or '' if the output ends without one. */
async function firstLine(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) return line
  return ''
}

async function makeBucket(options: S3Options): Promise<Response> {
  const url = `${options.endpoint}/${options.bucket}`
  return fetch(await presignedUrl(options, { method: 'PUT', url, seconds: 60, at: new Date() }), { method: 'PUT' })
}
