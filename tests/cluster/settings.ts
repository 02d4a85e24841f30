import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/server/freePort.ts'
import { freshPem } from '../support/server/testSecrets.ts'

/** The settings stored in a data folder, so that the same cluster can be started again. */
export interface ClusterSettings {
  ports: {
    etcd: number
    etcdPeer: number
    postgres: readonly number[]
    rest: readonly number[]
    leader: number
    servers: readonly [number, number]
    proxy: number
  }
  passwords: { superuser: string; replication: string; restApi: string; portal: string }
  secrets: { JWT_SECRET: string; PASSWORD_KEY: string }
}

/** Each node has an address for the other nodes and a second one for etcd, so that either can be cut off. */
export const NODES = [1, 2, 3].map((n) => ({
  name: `node${n}`,
  address: `127.0.0.${10 + n}`,
  etcdAddress: `127.0.0.${20 + n}`,
}))

/** Reads the folder's settings, or makes new ones. */
export async function settingsOf(folder: string): Promise<ClusterSettings & { isNew: boolean }> {
  const file = join(folder, 'settings.json')
  if (existsSync(file)) return { ...(JSON.parse(readFileSync(file, 'utf8')) as ClusterSettings), isNew: false }
  const settings = await newSettings()
  writeFileSync(file, JSON.stringify(settings, null, 2), { mode: 0o600 })
  return { ...settings, isNew: true }
}

async function newSettings(): Promise<ClusterSettings> {
  const three = async () => [await freePort(), await freePort(), await freePort()]
  const password = () => randomBytes(24).toString('hex')
  return {
    ports: {
      etcd: await freePort(),
      etcdPeer: await freePort(),
      postgres: await three(),
      rest: await three(),
      leader: await freePort(),
      servers: [await freePort(), await freePort()],
      proxy: await freePort(),
    },
    passwords: { superuser: password(), replication: password(), restApi: password(), portal: password() },
    secrets: { JWT_SECRET: password(), PASSWORD_KEY: freshPem() },
  }
}
