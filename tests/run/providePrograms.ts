import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hasDebianPostgres } from '../support/database/debianPostgres.ts'
import { installDebianPackages } from './installDebianPackages.ts'

const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf'

/** Finds PostgreSQL or installs it; answers what is missing otherwise. */
export async function providePostgres(): Promise<string | undefined> {
  if (hasDebianPostgres()) return undefined
  const failure = (await installDebianPackages('postgresql-common')) ?? (await installServerWithoutCluster())
  return failure && `PostgreSQL: ${failure}`
}

/** Debian's package would start a server of its own on port 5432; the tests bring their own and must not leave one behind. */
async function installServerWithoutCluster(): Promise<string | undefined> {
  if (existsSync(CLUSTER_SETTINGS)) {
    const settings = readFileSync(CLUSTER_SETTINGS, 'utf8')
    writeFileSync(
      CLUSTER_SETTINGS,
      settings.replace(/^#?\s*create_main_cluster\s*=.*$/m, 'create_main_cluster = false'),
    )
  }
  return installDebianPackages('postgresql-15')
}
