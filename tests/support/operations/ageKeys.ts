import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ageIsInstalled = (): boolean => {
  try {
    execFileSync('age', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A new key for backups: its secret part in a file of `folder`, and the public one. */
export function ageKey(folder: string, name: string): { identity: string; recipient: string } {
  if (!ageIsInstalled()) throw new Error('age is not installed: apt-get install age')
  const identity = join(folder, name)
  execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' })
  return { identity, recipient: execFileSync('age-keygen', ['-y', identity], { encoding: 'utf8' }).trim() }
}
