import { v7 as uuidv7 } from 'uuid'
import type { ImportedBranch, ImportedRow } from '../../../src/contract/imports.ts'
import { insertAccounts } from '../../db/accounts/accounts.ts'
import { insertFirstLinks } from '../../db/accounts/passwords.ts'
import { deleteBranchRows, insertBranches } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import { claimRows, importedRows, unclaimRows, type Import } from '../../db/imports.ts'
import { queueMails } from '../../db/mailOutbox.ts'
import type { Deps } from '../../Deps.ts'
import { activationMail } from '../../mail/passwordLinkMails.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { columnsOf } from '../branches/branchForm.ts'
import { pinFacts } from '../branches/branchPin.ts'
import { hashToken, newToken } from '../opaqueToken.ts'
import {
  countBatch,
  hashBatch,
  importOf,
  inBatchOrder,
  noteImport,
  numbersOf,
  refusedRows,
  takenIssue,
  type Batch,
  type Refusals,
  type Row,
} from './Batch.ts'
import { branchRefusals, openMasters } from './checkImport.ts'

/**
 * Creates the branches of some rows of a file, each whole (branch, login, invitation) or not at all, and each as a single create
 * would: few statements for all of them. A row that this import created before is `existing`, whatever is asked now. Throws
 * Refusal TOO_MANY_ATTEMPTS, and FORBIDDEN for a master that is none any more.
 */
export async function importBranches(deps: Deps, actor: Actor, batch: Batch<ImportedBranch>): Promise<ImportedRow[]> {
  await countBatch(deps, actor)
  const { db } = deps.database
  const batchImport = importOf(actor, 'branch', batch)
  const existing = await importedRows(db, batchImport, numbersOf(batch.rows))
  const open = batch.rows.filter(({ number }) => !existing.has(number))
  const refusals: Refusals = open.length === 0 ? new Map() : await branchRefusals(deps.database, actor, open)
  const rows = await withHashes(open.filter(({ number }) => !refusals.has(number)))
  const made = rows.length === 0 ? NOTHING : await createAll(deps, actor, batchImport, rows, refusals)
  // Who took rows at the same moment, in another tab, has them by now.
  const others = made.missed.length === 0 ? NONE : await importedRows(db, batchImport, made.missed)
  if (made.created.length > 0) deps.mailWaiting()
  return inBatchOrder(batch, [
    ...made.created.map(({ number, id }) => ({ number, outcome: 'created' as const, guid: id })),
    ...[...existing, ...others].map(([number, guid]) => ({ number, outcome: 'existing' as const, guid })),
    ...refusedRows(refusals),
  ])
}

const NONE: ReadonlyMap<number, string> = new Map()

const NOTHING: Made = { created: [], missed: [] }

interface Made {
  created: NewBranch[]
  /** Taken by a request of the same import. */
  missed: number[]
}

async function withHashes(rows: Row<ImportedBranch>[]): Promise<NewBranch[]> {
  const hashes = await hashBatch(rows.map(({ record }) => record.pin))
  return rows.map(({ number, record }, index) => ({ number, record, id: uuidv7(), pinHash: hashes[index]! }))
}

/** What a unique index refuses joins `refusals`. */
function createAll(
  deps: Deps,
  actor: Actor,
  batchImport: Import,
  rows: NewBranch[],
  refusals: Refusals,
): Promise<Made> {
  const now = deps.clock.now()
  return deps.database.db.transaction(async (tx: Db) => {
    const masters = await openMasters(tx, actor, rows)
    const claims = rows.map(({ number, id }) => ({ number, recordId: id }))
    const claimed = await claimRows(tx, batchImport, claims, now)
    const mine = rows.filter(({ number }) => claimed.has(number))
    const managed = mine.filter(({ number, record }) => isFree(refusals, number, masters.against(record)))
    const branches = managed.map((row) => branchColumns(actor, row, masters.of(row.record), now))
    const withBranch = await insertBranches(tx, branches)
    const coded = managed.filter(({ number, id }) =>
      isFree(refusals, number, withBranch.has(id) ? [] : [takenIssue('code')]),
    )
    const invited = await inviteLogins(tx, deps, actor, coded)
    const created = coded.filter(({ number, id }) =>
      isFree(refusals, number, invited.has(id) ? [] : [takenIssue('email')]),
    )
    await removeIncomplete(tx, batchImport, mine, created)
    const named = created.map(({ id, record }) => ({ id, name: record.name, branchId: id }))
    await noteImport(tx, actor, batchImport, named, now)
    return { created, missed: numbersOf(rows).filter((number) => !claimed.has(number)) }
  })
}

function isFree(refusals: Refusals, number: number, against: ReturnType<typeof takenIssue>[]): boolean {
  if (against.length > 0) refusals.set(number, against)
  return against.length === 0
}

const branchColumns = (actor: Actor, { id, record, pinHash }: NewBranch, masterUserId: string | null, now: Date) => ({
  id,
  organisationId: actor.scope.organisationId,
  status: 'Active' as const,
  masterUserId,
  ...columnsOf(record),
  pinHash,
  ...pinFacts(record.pin, actor, now),
  createdAt: now,
  createdBy: actor.userId,
})

/** A branch that could not be made whole leaves nothing behind, so its row can be mended and imported again. */
async function removeIncomplete(tx: Db, batchImport: Import, tried: NewBranch[], created: NewBranch[]): Promise<void> {
  const whole = new Set(created)
  const failed = tried.filter((row) => !whole.has(row))
  await deleteBranchRows(
    tx,
    failed.map(({ id }) => id),
  )
  await unclaimRows(
    tx,
    batchImport,
    failed.map(({ number }) => number),
  )
}

/** Five a second, so that a mail somebody waits for, such as a password link, is not sent after five thousand invitations. */
const BETWEEN_MAILS_MS = 200

/**
 * Makes the logins of branches and puts their invitations out, like `inviteLogin` for many at once. Returns the branches whose
 * email was free.
 */
async function inviteLogins(tx: Db, deps: Deps, actor: Actor, branches: NewBranch[]): Promise<Set<string>> {
  const now = deps.clock.now()
  const logins = branches.map((branch) => ({ branch, id: uuidv7(), token: newToken() }))
  const made = await insertAccounts(
    tx,
    'merchant',
    logins.map(({ id, branch }) => ({
      id,
      organisationId: actor.scope.organisationId,
      branchId: branch.id,
      type: 'Branch Merchant',
      status: 'Pending Activation',
      loginName: branch.record.email,
      name: branch.record.name,
      createdAt: now,
    })),
  )
  const invited = logins.filter(({ id }) => made.has(id))
  const links = invited.map(({ id, token }) => ({
    userId: id,
    kind: 'activation' as const,
    tokenHash: hashToken(token),
  }))
  await insertFirstLinks(tx, links, now)
  const mails = invited.map(({ branch, token }) =>
    Object.assign(activationMail(deps.settings, 'invitation', addressee(actor, branch), token, now), {
      notBefore: new Date(now.getTime() + branch.number * BETWEEN_MAILS_MS),
    }),
  )
  await queueMails(tx, mails, now)
  return new Set(invited.map(({ branch }) => branch.id))
}

const addressee = ({ organisation }: Actor, { record }: NewBranch) => ({
  loginName: record.email,
  organisationName: organisation.name,
})

/** A row on its way, with what was made up for it. */
interface NewBranch extends Row<ImportedBranch> {
  id: string
  pinHash: string
}
