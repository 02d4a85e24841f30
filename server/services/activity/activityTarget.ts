import type { Person, Subject } from '../../db/activity.ts'
import type { LoginUser } from '../../db/accounts/loginUsers.ts'
import type { Caller } from '../Caller.ts'

/** Whose log an act on `user` belongs to, and what it was done to. A branch and its login are one record to their merchant. */
export const activityTarget = (user: LoginUser) => ({
  organisationId: user.organisationId,
  subject: subjectOf(user),
  branchId: user.branchId,
})

function subjectOf({ id, type, loginName, name, branchId, branchName }: LoginUser): Subject {
  switch (type) {
    case 'Additional Merchant':
      return { type: 'master', id, name: name ?? loginName }
    case 'Branch Merchant':
      return { type: 'branch', id: branchId ?? id, name: branchName ?? loginName }
    case 'POS User':
      return { type: 'pos_user', id, name: loginName }
    case 'HRP Merchant':
    case 'ADHOC Merchant':
      return { type: 'account', id, name: loginName }
  }
}

/** Who acts with this account without a session: by a login, or by a mailed link. */
export const personOf = ({ id, loginName, branchId }: LoginUser, { device }: Pick<Caller, 'device'>): Person => ({
  userId: id,
  loginName,
  device,
  branch: branchId === null ? null : { id: branchId },
})
