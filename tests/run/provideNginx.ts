import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { nginxBinary } from '../support/nginxBinary.ts'
import { installDebianPackages } from './installDebianPackages.ts'

const POLICY = '/usr/sbin/policy-rc.d'

/** Finds nginx or installs it; where it cannot, says so: its tests are skipped, and nothing else needs it. */
export async function provideNginx(): Promise<void> {
  if (nginxBinary()) return
  const failure = await withoutStarting(() => installDebianPackages('nginx-light', 'openssl'))
  if (failure) console.error(`nginx, whose tests are skipped: ${failure}`)
}

/** Debian's package would start a server of its own on port 80; invoke-rc.d(8) asks this file first. */
async function withoutStarting<T>(install: () => Promise<T>): Promise<T> {
  const isOurs = process.getuid?.() === 0 && !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    return await install()
  } finally {
    if (isOurs) rmSync(POLICY)
  }
}
