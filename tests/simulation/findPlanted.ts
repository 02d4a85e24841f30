import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/*
 * Faults that somebody could make, one in each patch of `planted`. Each is put into a copy of the product, and worlds are lived
 * there until one of them finds it. One that is not found within its worlds is a fault of the simulation.
 */

const ROOT = resolve(import.meta.dirname, '../..')
const PATCHES = join(import.meta.dirname, 'planted')
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'dist-e2e', 'data', 'test-results'])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    /** Worlds that may be needed for each fault. */
    worlds: { type: 'string', default: '30' },
  },
})

const patches = readdirSync(PATCHES).filter((name) => positionals.every((part) => name.includes(part)))
for (const patch of patches.toSorted()) {
  const started = performance.now()
  const { worlds, words } = livesUntilFound(join(PATCHES, patch))
  const fault = basename(patch, '.patch').replaceAll('-', ' ')
  const took = `${Math.round((performance.now() - started) / 1_000)} s`
  if (worlds === undefined) process.exitCode = 1
  console.log(
    worlds === undefined ? `NOT FOUND ${fault}, ${took}` : `${fault}: found by world ${worlds}, ${took}\n    ${words}`,
  )
}

function livesUntilFound(patch: string): { worlds?: number; words?: string } {
  const copy = mkdtempSync(join(tmpdir(), 'planted-'))
  try {
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(ROOT, path)) })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    run('git', ['apply', patch], copy)
    const size = ['--days', '0.3', '--tills', '4', '--shrink', '0', '--seed', values.seed, '--worlds', values.worlds]
    const { status, stdout, stderr } = run('npm', ['run', '--silent', 'simulate', '--', ...size], copy)
    const words = /^seed \d+ broke .*$/m.exec(stdout)?.[0]
    if (words) return { words, worlds: stdout.match(/^seed \d+/gm)!.length }
    if (status !== 0) throw new Error(`${patch}: ${stderr.slice(-500)}`)
    return {}
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function run(program: string, args: string[], cwd: string) {
  const ran = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (program === 'git' && ran.status !== 0) throw new Error(ran.stderr)
  return ran
}
