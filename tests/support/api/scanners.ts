import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const isInstalled = (program: string) => spawnSync('which', [program]).status === 0

/**
 * A `*` anywhere is a mark, which is not sent: there it is tried. Without one sqlmap tries what it takes for a parameter, but none
 * that is called a token.
 */
export interface ScannedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
}

/** The request as it is meant, once. */
export function sendOnce(origin: string, { method, path, headers, body }: ScannedRequest): Promise<Response> {
  const plain = (text: string) => text.replaceAll('*', '')
  const named = Object.entries(headers).map(([name, value]) => [name, plain(value)])
  const content = body === undefined ? {} : { body: plain(JSON.stringify(body)) }
  return fetch(origin + plain(path), { method, headers: Object.fromEntries(named), ...content })
}

/** Tries every parameter of a request, by all techniques of sqlmap (https://sqlmap.org) that PostgreSQL knows. */
export async function runSqlmap(origin: string, request: ScannedRequest, level: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sqlmap-'))
  const file = join(folder, 'request.txt')
  writeFileSync(file, rawRequest(origin, request))
  try {
    const options = {
      '-r': file,
      '--dbms': 'PostgreSQL',
      '--level': String(level),
      '--risk': level < 5 ? '2' : '3',
      '--technique': 'BEUSTQ',
      '--skip': 'user-agent,referer,host',
      // A refusal by our schema is an answer like another; without this it stops at the first.
      '--ignore-code': '*',
      '--timeout': '10',
      '--retries': '0',
      '--output-dir': folder,
    }
    const output = await outputOf('sqlmap', [
      '--batch',
      '--ignore-stdin',
      '--disable-coloring',
      ...Object.entries(options).flat(),
    ])
    return verdictOf(output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function rawRequest(origin: string, { method, path, headers, body }: ScannedRequest): string {
  const lines = Object.entries({ Host: new URL(origin).host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body === undefined ? '' : JSON.stringify(body)].join('\r\n')
}

function verdictOf(output: string) {
  const counts = [...output.matchAll(/(\d{3}) \([^)]*\) - (\d+) times/g)]
  return {
    /** What it says of every parameter that takes an injection. */
    injectable: [...output.matchAll(/^Parameter: .+$/gm)].map(([line]) => line),
    /** Parameters it left out. */
    ignored: [...output.matchAll(/ignoring .*parameter '(.+)'/g)].map(([, name = '']) => name),
    /** It has come to an end. */
    finished: /all tested parameters do not appear to be injectable|identified the following injection point/.test(
      output,
    ),
    /** Answers by status. */
    statuses: Object.fromEntries(counts.map(([, status = '', times]) => [status, Number(times)])) as Record<
      string,
      number
    >,
    output,
  }
}

/** Findings of wapiti (https://wapiti-scanner.github.io), by category; `pages` are where it starts. */
export async function runWapiti(
  origin: string,
  pages: readonly string[],
  headers: Record<string, string>,
  modules: string,
) {
  const folder = mkdtempSync(join(tmpdir(), 'wapiti-'))
  const report = join(folder, 'report.json')
  try {
    const options = {
      '-u': `${origin}/`,
      '--scope': 'domain',
      '-m': modules,
      '--store-session': folder,
      '--store-config': folder,
      '-f': 'json',
      '-o': report,
      '--max-scan-time': '300',
    }
    const output = await outputOf('wapiti', [
      '--no-bugreport',
      '--flush-session',
      ...Object.entries(options).flat(),
      ...pages.flatMap((page) => ['-s', origin + page]),
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ])
    return findingsOf(JSON.parse(readFileSync(report, 'utf8')) as WapitiReport, output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Findings = Record<string, { path: string; info: string }[]>
interface WapitiReport {
  vulnerabilities: Findings
  anomalies: Findings
}

const findingsOf = ({ vulnerabilities, anomalies }: WapitiReport, output: string) => ({
  findings: Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([category, found]) =>
    found.map(({ path, info }) => ({ category, path, info })),
  ),
  visited: Number(/Wapiti found (\d+) URLs/.exec(output)?.[1] ?? 0),
  output,
})

/** All it prints, on both streams, once it has ended; a program that is missing rejects. */
export function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
    child.once('error', reject)
    child.once('close', () => resolve(output))
  })
}
