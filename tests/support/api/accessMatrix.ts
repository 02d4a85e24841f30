import type { EndpointName } from '../../../src/contract/endpoints.ts'
import { GATED, SIGNED, type Gated, type Signed } from './actors.ts'

export const WHO = ['anonymous', ...SIGNED] as const
export type Who = (typeof WHO)[number]
type Row = Record<Who, number>

const everyone = (status: number): Row => row(status, status, status, status, status, status, status, status)
type Statuses = [
  anonymous: number,
  hrp: number,
  gated: number,
  additional: number,
  adhoc: number,
  branch: number,
  pos: number,
  otherTenant: number,
]
function row(...[anonymous, hrp, gated, additional, adhoc, branch, pos, otherTenant]: Statuses): Row {
  const everyGated = Object.fromEntries(GATED.map((status) => [status, gated])) as Record<Gated, number>
  const types = { HRP: hrp, Additional: additional, ADHOC: adhoc, Branch: branch, POS: pos }
  return { anonymous, ...types, ...everyGated, 'other tenant': otherTenant }
}

/**
 * The status of each endpoint for each caller: anonymous, HRP, gated HRP (one for each status), Additional, ADHOC, Branch, POS, and the main account
 * of another tenant, which asks for things of this one. An endpoint without a row does not compile.
 */
export const EXPECTED: Record<EndpointName, Row> = {
  'system.health': everyone(200),
  'system.ready': everyone(200),
  'system.support': everyone(200),
  'system.demo': everyone(200),
  'device.troubles': row(401, 200, 200, 200, 200, 200, 200, 200),
  'auth.publicKey': everyone(200),
  'auth.login': everyone(400),
  'auth.setNewPassword': everyone(400),
  // Without a challenge it needs a session. The 403 asks for the password again; for a POS user it is FORBIDDEN.
  'auth.initiateMfaSetup': row(401, 403, 403, 403, 403, 403, 403, 403),
  'auth.verifyAndEnableMfa': everyone(400),
  'auth.verifyMfa': everyone(400),
  'auth.forgotPassword': everyone(200),
  'auth.confirmForgotPassword': everyone(400),
  'auth.checkLink': everyone(400),
  'auth.confirmEmail': everyone(400),
  'account.myInfo': row(401, 200, 200, 200, 200, 200, 200, 200),
  // None of these users has an authenticator app.
  'account.renewRecoveryCodes': row(401, 403, 403, 403, 403, 403, 403, 403),
  'account.refresh': row(401, 200, 200, 200, 200, 200, 200, 200),
  'account.logout': row(401, 200, 200, 200, 200, 200, 200, 200),
  'account.changePassword': row(401, 422, 422, 422, 422, 422, 422, 422),
  'account.adminChangePassword': row(401, 422, 403, 403, 404, 403, 403, 404),
  'account.adminChangeEmail': row(401, 422, 403, 403, 404, 403, 403, 404),
  'merchant.changePassword': row(401, 422, 403, 422, 422, 422, 403, 422),
  'merchant.resendInvitation': row(401, 200, 403, 404, 404, 403, 403, 404),
  'captcha.offer': everyone(200),
  'captcha.verifyV3': everyone(400),
  'captcha.verifyV2': everyone(400),
  'upload.presign': row(401, 200, 200, 200, 200, 200, 403, 200),
  'upload.presignPublic': everyone(403),
  'signup.apply': everyone(400),
  'signup.categories': everyone(200),
  'onboarding.read': row(401, 200, 404, 404, 404, 404, 404, 404),
  // The callers who may submit send an agreement of this tenant. The other tenant does not own it.
  'onboarding.submit': {
    ...row(401, 409, 409, 403, 403, 403, 403, 409),
    'Pending Activation': 422,
    'Authorisation Rejected': 422,
  },
  'review.read': everyone(400),
  'review.decide': everyone(400),
  'signup.termsPdf': everyone(200),
  'signup.agreementPdf': everyone(200),
  'voucher.datatable': row(401, 200, 403, 200, 200, 200, 403, 200),
  'voucher.verify': row(401, 403, 403, 403, 403, 403, 200, 403),
  // The secret of the hold is enough. The answer says what happened to each voucher.
  'voucher.release': row(401, 200, 403, 200, 404, 200, 403, 404),
  'hold.settle': row(401, 200, 403, 200, 404, 200, 403, 404),
  'voucher.myDay': row(401, 403, 403, 403, 403, 403, 200, 403),
  'till.sync': everyone(200),
  'till.allowance': everyone(200),
  'allowance.read': row(401, 200, 403, 200, 404, 403, 403, 404),
  'allowance.change': row(401, 403, 403, 403, 404, 403, 403, 404),
  'allowance.stop': row(401, 200, 403, 403, 404, 403, 403, 404),
  'losses.datatable': row(401, 200, 403, 200, 200, 200, 403, 200),
  'losses.export': row(401, 200, 403, 200, 200, 200, 403, 200),
  'dashboard.read': row(401, 200, 403, 200, 200, 200, 403, 200),
  'notices.read': row(401, 200, 403, 200, 200, 200, 403, 200),
  'till.name': row(401, 403, 403, 403, 403, 403, 200, 403),
  'devices.datatable': row(401, 200, 403, 200, 200, 200, 403, 200),
  'devices.export': row(401, 200, 403, 200, 200, 200, 403, 200),
  'devices.get': row(401, 200, 403, 200, 404, 200, 403, 404),
  'devices.rename': row(401, 200, 403, 200, 404, 200, 403, 404),
  'devices.move': row(401, 200, 403, 200, 404, 404, 403, 404),
  'devices.revoke': row(401, 200, 403, 200, 404, 200, 403, 404),
  'devices.review': row(401, 200, 403, 200, 404, 200, 403, 404),
  'devices.add': row(401, 200, 403, 200, 404, 200, 403, 404),
  'devices.enrolment': row(401, 200, 403, 200, 404, 200, 403, 404),
  'till.get': row(401, 403, 403, 403, 403, 403, 200, 403),
  'till.enrol': row(401, 403, 403, 403, 403, 403, 200, 403),
  'filter.denominations': row(401, 200, 403, 200, 200, 200, 403, 200),
  'filter.branches': row(401, 200, 403, 200, 200, 200, 403, 200),
  'filter.posUsers': row(401, 200, 403, 200, 404, 200, 403, 404),
  'report.transaction': row(401, 200, 403, 200, 404, 200, 403, 404),
  'report.monthly': row(401, 200, 403, 200, 404, 200, 403, 404),
  'report.daily': row(401, 200, 403, 200, 404, 200, 403, 404),
  'payments.read': row(401, 200, 403, 200, 200, 403, 403, 200),
  // Another tenant has no statement of this month.
  'payments.statement': row(401, 200, 403, 200, 404, 403, 403, 404),
  'report.preview': row(401, 200, 403, 200, 404, 200, 403, 404),
  'masters.datatable': row(401, 200, 403, 403, 403, 403, 403, 200),
  'masters.export': row(401, 200, 403, 403, 403, 403, 403, 200),
  'masters.list': row(401, 200, 403, 403, 403, 403, 403, 200),
  'masters.get': row(401, 200, 403, 403, 403, 403, 403, 404),
  'masters.create': row(401, 200, 403, 403, 403, 403, 403, 200),
  'masters.update': row(401, 200, 403, 403, 403, 403, 403, 404),
  'masters.remove': row(401, 200, 403, 403, 403, 403, 403, 404),
  'masters.deactivate': row(401, 200, 403, 403, 403, 403, 403, 404),
  'masters.reactivate': row(401, 200, 403, 403, 403, 403, 403, 404),
  'masters.resetPassword': row(401, 200, 403, 403, 403, 403, 403, 404),
  'branches.datatable': row(401, 200, 403, 200, 200, 403, 403, 200),
  'branches.export': row(401, 200, 403, 200, 200, 403, 403, 200),
  'branches.list': row(401, 200, 403, 200, 200, 403, 403, 200),
  'branches.get': row(401, 200, 403, 200, 404, 403, 403, 404),
  'branches.create': row(401, 200, 403, 200, 200, 403, 403, 200),
  'branches.update': row(401, 200, 403, 200, 404, 403, 403, 404),
  'branches.remove': row(401, 200, 403, 200, 404, 403, 403, 404),
  'masterBranches.datatable': row(401, 200, 403, 200, 200, 403, 403, 200),
  'masterBranches.export': row(401, 200, 403, 200, 200, 403, 403, 200),
  'masterBranches.list': row(401, 200, 403, 200, 200, 403, 403, 200),
  'masterBranches.get': row(401, 200, 403, 200, 404, 403, 403, 404),
  'masterBranches.create': row(401, 200, 403, 200, 422, 403, 403, 422),
  'masterBranches.update': row(401, 200, 403, 200, 404, 403, 403, 404),
  'masterBranches.remove': row(401, 200, 403, 200, 404, 403, 403, 404),
  'adhocBranches.datatable': row(401, 200, 403, 200, 200, 403, 403, 200),
  'adhocBranches.export': row(401, 200, 403, 200, 200, 403, 403, 200),
  'adhocBranches.list': row(401, 200, 403, 200, 200, 403, 403, 200),
  'adhocBranches.get': row(401, 200, 403, 200, 404, 403, 403, 404),
  'adhocBranches.create': row(401, 200, 403, 200, 200, 403, 403, 200),
  'adhocBranches.update': row(401, 200, 403, 200, 404, 403, 403, 404),
  'adhocBranches.remove': row(401, 200, 403, 200, 404, 403, 403, 404),
  'branches.deactivate': row(401, 200, 403, 200, 404, 403, 403, 404),
  'branches.reactivate': row(401, 200, 403, 200, 404, 403, 403, 404),
  'branches.resetPassword': row(401, 200, 403, 200, 404, 403, 403, 404),
  'imports.branches': row(401, 200, 403, 200, 200, 403, 403, 200),
  'imports.posUsers': row(401, 200, 403, 200, 200, 200, 403, 200),
  'posUsers.datatable': row(401, 200, 403, 200, 200, 200, 403, 200),
  'posUsers.export': row(401, 200, 403, 200, 200, 200, 403, 200),
  'posUsers.list': row(401, 200, 403, 200, 200, 200, 403, 200),
  'posUsers.get': row(401, 200, 403, 200, 404, 200, 403, 404),
  'posUsers.create': row(401, 422, 403, 422, 404, 422, 403, 404),
  'posUsers.update': row(401, 200, 403, 200, 404, 200, 403, 404),
  'posUsers.remove': row(401, 200, 403, 200, 404, 200, 403, 404),
  'posUsers.edit': row(401, 200, 403, 200, 404, 200, 403, 404),
  'posUsers.deactivate': row(401, 200, 403, 200, 404, 200, 403, 404),
  'posUsers.reactivate': row(401, 200, 403, 200, 404, 200, 403, 404),
  'posUsers.resetPassword': row(401, 200, 403, 200, 404, 200, 403, 404),
  'posUsers.changePassword': row(401, 422, 403, 422, 404, 422, 403, 404),
  'profile.get': row(401, 200, 403, 404, 404, 404, 403, 404),
  'profile.editMain': row(401, 200, 403, 404, 404, 404, 403, 404),
  'profile.editAdhoc': row(401, 404, 403, 404, 200, 404, 403, 404),
  'profile.editMaster': row(401, 404, 403, 200, 404, 404, 403, 404),
  'profile.editBranch': row(401, 404, 403, 404, 404, 200, 403, 404),
  // The files of the programme are the same for every merchant.
  'resources.datatable': row(401, 200, 403, 200, 403, 200, 403, 200),
  'resources.download': row(401, 200, 403, 200, 403, 200, 403, 200),
  'activity.datatable': row(401, 200, 403, 200, 200, 200, 403, 200),
  'activity.export': row(401, 200, 403, 200, 200, 200, 403, 200),
  'voucher.export': row(401, 200, 403, 200, 200, 200, 403, 200),
  'voucher.list': row(401, 200, 403, 200, 200, 200, 403, 200),
  'voucher.get': row(401, 200, 403, 200, 404, 200, 403, 404),
  // Endpoints of the provider.
  'voucher.keys': everyone(200),
  'voucher.spent': everyone(200),
  'voucher.create': row(401, 403, 403, 403, 403, 403, 403, 403),
  'voucher.update': row(401, 403, 403, 403, 403, 403, 403, 403),
  'voucher.remove': row(401, 403, 403, 403, 403, 403, 403, 403),
}

const ONES: readonly Signed[] = ['HRP', 'Additional', 'ADHOC', 'Branch', 'POS']

/** Returns a caller for whom a valid call succeeds, or `undefined` if no login is needed. */
export const callerFor = (name: EndpointName): Signed | undefined =>
  EXPECTED[name].anonymous === 401 ? (ONES.find((who) => EXPECTED[name][who] === 200) ?? 'HRP') : undefined
