import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DataDirLocked, lockDataDir } from './dataDirLock.ts'

let folder: string
let warnings: string[]
const log = { info: () => undefined, warn: (event: string) => void warnings.push(event), error: () => undefined }
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'))
  warnings = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const lockFile = () => join(folder, 'server.lock')

it('keeps the second one out until the first lets go, and leaves nothing behind', () => {
  const release = lockDataDir(folder, log)
  expect(() => lockDataDir(folder, log)).toThrow(DataDirLocked)
  expect(() => lockDataDir(folder, log)).toThrow(new RegExp(`process ${process.pid}`))
  release()
  lockDataDir(folder, log)()
  expect(readdirSync(folder)).toEqual([])
  expect(warnings).toEqual([])
})

it('respects another living process', () => {
  const child = spawn('sleep', ['30'])
  try {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    writeFileSync(lockFile(), JSON.stringify({ pid: child.pid, started: stat[19] }))
    expect(() => lockDataDir(folder, log)).toThrow(DataDirLocked)
  } finally {
    child.kill()
  }
})

const gone = () => spawnSync('true').pid

const STALE: [string, () => string][] = [
  ['a process that is gone', () => JSON.stringify({ pid: gone(), started: '1' })],
  ['an earlier process of the same number', () => JSON.stringify({ pid: process.pid, started: '1' })],
  ['half a file', () => '{"pid":'],
  ['nothing', () => ''],
]
it.each(STALE)('FLT-08: takes over the lock of %s, and says so', (_, text) => {
  writeFileSync(lockFile(), text())
  const release = lockDataDir(folder, log)
  expect(warnings).toEqual(['stale_lock_taken_over'])
  expect(() => lockDataDir(folder, log)).toThrow(DataDirLocked)
  release()
  expect(readdirSync(folder)).toEqual([])
})
