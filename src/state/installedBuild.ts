import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { readStored, writeStored } from './persisted.ts'

const KEY = 'installed-build'

/** The build this device runs. `updatedAt`: when it replaced another one here, in milliseconds of the device's clock. */
const Installed = v.object({ build: v.string(), updatedAt: v.optional(v.number()) })
type Installed = v.InferOutput<typeof Installed>

export const installedBuild = proxy<{ known: Installed | undefined }>({ known: readStored(KEY, Installed) })

/** Notes what runs here. The first build of a device is no update. */
export function noteBuild(build: string, now: number): void {
  const before = readStored(KEY, Installed)
  if (before?.build === build) return
  installedBuild.known = before ? { build, updatedAt: now } : { build }
  writeStored(KEY, installedBuild.known)
}
