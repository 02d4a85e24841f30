import { NIL } from 'uuid'
import type { LoginUser } from '../../../db/accounts/loginUsers.ts'
import type { LoginKind } from '../../../db/schema/organisations.ts'

/** An id that no row has: no statement finds one, and `insertForUser` writes none. */
export const NOBODY = NIL

/** Stands in for whom a name does not lead to, so that the server goes on as for anybody (decision 0060). */
export const nobody = (loginKind: LoginKind, loginName: string): LoginUser => ({
  id: NOBODY,
  type: 'HRP Merchant',
  status: 'Active',
  loginKind,
  loginName,
  passwordHash: null,
  passwordChangedAt: null,
  mustChangePassword: false,
  organisationId: NOBODY,
  organisationName: '',
  organisationStatus: 'Active',
  name: null,
  branchId: null,
  branchName: null,
  branchStatus: null,
})
