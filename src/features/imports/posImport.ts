import { posImportApi } from '../../api/business.ts'
import { ImportedPosUser } from '../../contract/imports.ts'
import type { ImportColumn, ImportKind } from './ImportKind.ts'
import { judgeBySchema } from './judgeBySchema.ts'

const USERNAME_COLUMN: ImportColumn = {
  key: 'username',
  title: 'Username',
  synonyms: ['POS user', 'Login', 'User'],
  needed: true,
  width: 18,
  unique: true,
  prose: true,
}
const BRANCH_CODE_COLUMN: ImportColumn = {
  key: 'branch_code',
  title: 'Branch code',
  synonyms: ['Branch', 'Code'],
  needed: true,
  width: 12,
  prose: true,
}

/** `ofBranch`: for the branch that imports its own, and is not asked which. */
export const posImport = (ofBranch: boolean): ImportKind<ImportedPosUser> => ({
  key: 'pos-users',
  title: 'Import POS users',
  noun: { one: 'POS user', many: 'POS users' },
  note: 'Each row becomes a POS user with a temporary password, which the cashier replaces at the first login.',
  columns: ofBranch ? [USERNAME_COLUMN] : [USERNAME_COLUMN, BRANCH_CODE_COLUMN],
  judge: (cells) =>
    judgeBySchema(
      ImportedPosUser,
      { username: cells['username'] ?? '', branch_code: ofBranch ? null : (cells['branch_code'] ?? '') },
      {},
    ),
  check: async (import_id, rows) => (await posImportApi.check({ body: { import_id, rows: [...rows] } })).rows,
  commit: async (import_id, rows) => (await posImportApi.commit({ body: { import_id, rows: [...rows] } })).rows,
  givesPasswords: true,
})
