import { randomUUID } from 'node:crypto'
import { execute } from './postgres.ts'
import { createDatabase, testPostgresUrl } from './testDatabase.ts'

/** Makes an empty database that belongs to a login of its own. `asAdmin` runs statements as an operator. */
export async function databaseOfLogin(attributes: string) {
  const admin = new URL(testPostgresUrl())
  admin.username = 'postgres'
  const login = `login_${randomUUID().slice(0, 8)}`
  const asAdmin = (statement: string) => execute(admin.href, statement)
  await asAdmin(`CREATE ROLE ${login} LOGIN CREATEDB ${attributes}`)
  const own = new URL(testPostgresUrl())
  own.username = login
  const { url, drop } = await createDatabase({ server: own.href })
  const remove = async () => {
    await drop()
    await asAdmin(`DROP ROLE IF EXISTS ${login}_tenant; DROP ROLE ${login}`)
  }
  return { url, login, asAdmin, remove }
}
