import type { Db } from '../../db/engine/Database.ts'
import { type Import, lockUntouchedUsers, renewPasswords } from '../../db/imports.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { temporaryPassword } from '../posUsers/temporaryPassword.ts'
import { hashBatch } from './hashImported.ts'

/** Other temporary passwords, by row, for POS users that an import made and whose first one nobody used or changed yet. */
export async function freshPasswords(
  { database, clock }: Deps,
  { scope }: Actor,
  of: Import,
  numbers: number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map()
  const passwords = new Map(numbers.map((number) => [number, temporaryPassword()]))
  const hashes = await hashBatch([...passwords.values()])
  const hashOf = new Map(numbers.map((number, index) => [number, hashes[index]!]))
  return database.db.transaction(async (tx: Db) => {
    const untouched = await lockUntouchedUsers(tx, scope, of, numbers)
    const renewed = untouched.map((row) => ({ ...row, passwordHash: hashOf.get(row.number)! }))
    await renewPasswords(tx, of, renewed, clock.now())
    return new Map(untouched.map(({ number }) => [number, passwords.get(number)!]))
  })
}
