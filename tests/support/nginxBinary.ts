import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where Debian has it; a shell that is not root's often has no `sbin` in its PATH. */
const DEBIAN = '/usr/sbin'

/** The path of nginx, or `undefined` when this machine has none. */
export function nginxBinary(): string | undefined {
  const folders = [DEBIAN, ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file))
}
