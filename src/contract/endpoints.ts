import * as account from './accounts/account.ts'
import * as auth from './accounts/auth.ts'
import * as captcha from './accounts/captcha.ts'
import { activity } from './activity/activity.ts'
import * as branches from './branches.ts'
import * as dashboard from './dashboard.ts'
import * as devices from './devices/devices.ts'
import * as enrolment from './devices/enrolment.ts'
import { reportTroubles } from './devices/troubles.ts'
import type { Endpoint } from './endpoint.ts'
import * as imports from './imports.ts'
import * as masters from './masters.ts'
import * as merchant from './merchants/onboarding.ts'
import { readOnboardingDraft, saveOnboardingDraft } from './merchants/onboardingDraft.ts'
import * as review from './merchants/review.ts'
import * as signup from './merchants/signup.ts'
import * as notices from './notices.ts'
import * as payments from './payments.ts'
import * as posUsers from './posUsers.ts'
import * as profile from './profile.ts'
import * as allowance from './redemptions/allowanceEndpoints.ts'
import * as counter from './redemptions/counter.ts'
import * as losses from './redemptions/losses.ts'
import * as redeem from './redemptions/redeem.ts'
import { spentVouchers, voucherKeys } from './redemptions/signedVouchers.ts'
import { syncTill } from './redemptions/sync.ts'
import * as report from './reports/report.ts'
import * as filter from './reports/reportFilters.ts'
import { reportPreview } from './reports/reportPreview.ts'
import * as resources from './resources.ts'
import * as system from './system.ts'
import * as upload from './uploads.ts'
import * as voucher from './vouchers.ts'

type Named<N extends string, R> = { [K in keyof R & string as `${N}.${K}`]: R[K] }

/** Returns the endpoints of one resource under its name: `branches.datatable`, `branches.create` … */
const named = <const N extends string, R extends Record<string, Endpoint>>(name: N, resource: R): Named<N, R> =>
  Object.fromEntries(Object.entries(resource).map(([key, one]) => [`${name}.${key}`, one])) as Named<N, R>

/** The one list of endpoints: server routes, OpenAPI and the contract tests use it. */
export const ENDPOINTS = {
  'system.health': system.health,
  'system.ready': system.ready,
  'system.support': system.support,
  'system.demo': system.demo,
  'device.troubles': reportTroubles,
  'auth.publicKey': auth.publicKey,
  'auth.login': auth.login,
  'auth.setNewPassword': auth.setNewPassword,
  'auth.initiateMfaSetup': auth.initiateMfaSetup,
  'auth.verifyAndEnableMfa': auth.verifyAndEnableMfa,
  'auth.verifyMfa': auth.verifyMfa,
  'auth.forgotPassword': auth.forgotPassword,
  'auth.confirmForgotPassword': auth.confirmForgotPassword,
  'auth.checkLink': auth.checkLink,
  'auth.confirmEmail': auth.confirmEmail,
  'account.myInfo': account.myInfo,
  'account.renewRecoveryCodes': account.renewRecoveryCodes,
  'account.refresh': account.refresh,
  'account.logout': account.logout,
  'account.changePassword': account.changePassword,
  'account.adminChangePassword': account.adminChangePassword,
  'account.adminChangeEmail': account.adminChangeEmail,
  'merchant.changePassword': account.merchantChangePassword,
  'merchant.resendInvitation': merchant.resendInvitation,
  'captcha.offer': captcha.captchaOffer,
  'captcha.verifyV3': captcha.verifyCaptchaV3,
  'captcha.verifyV2': captcha.verifyCaptchaV2,
  'upload.presign': upload.presign,
  'upload.presignPublic': upload.presignPublic,
  'signup.apply': signup.signup,
  'signup.resend': signup.resendApplicationMail,
  'signup.categories': signup.productServiceCategories,
  'onboarding.read': merchant.readOnboarding,
  'onboarding.submit': merchant.submitOnboarding,
  'onboarding.readDraft': readOnboardingDraft,
  'onboarding.saveDraft': saveOnboardingDraft,
  'review.read': review.readReview,
  'review.decide': review.decideReview,
  'signup.termsPdf': signup.termsPdf,
  'signup.agreementPdf': signup.agreementPdf,
  ...named('voucher', voucher.vouchers),
  'voucher.get': voucher.readVoucher,
  'voucher.list': voucher.listVouchers,
  'voucher.keys': voucherKeys,
  'voucher.spent': spentVouchers,
  'voucher.create': voucher.createVoucher,
  'voucher.update': voucher.updateVoucher,
  'voucher.remove': voucher.removeVoucher,
  'voucher.verify': redeem.verifyVoucher,
  'voucher.release': counter.releaseHold,
  'hold.settle': counter.settleHold,
  'voucher.myDay': counter.myDay,
  'till.sync': syncTill,
  'till.allowance': allowance.askAllowance,
  'allowance.read': allowance.readAllowance,
  'allowance.change': allowance.changeAllowance,
  'allowance.stop': allowance.stopAllowance,
  ...named('losses', losses.losses),
  'dashboard.read': dashboard.readDashboard,
  'dashboard.busyHours': dashboard.readBusyHours,
  'notices.read': notices.readNotices,
  'till.name': counter.nameTill,
  'practice.note': counter.notePractice,
  ...named('devices', devices.devices),
  'devices.get': devices.readDevice,
  'devices.rename': devices.renameDevice,
  'devices.move': devices.moveDevice,
  'devices.revoke': devices.revokeDevice,
  'devices.review': devices.reviewDevice,
  'devices.add': enrolment.addDevice,
  'devices.enrolment': enrolment.readEnrolment,
  'till.enrol': enrolment.enrolDevice,
  'till.get': enrolment.readTill,
  'filter.denominations': filter.denominationOptions,
  'filter.branches': filter.branchOptions,
  'filter.posUsers': filter.posUserOptions,
  'report.transaction': report.transactionReport,
  'report.monthly': report.monthlyReport,
  'report.daily': report.dailyReport,
  'report.preview': reportPreview,
  'payments.read': payments.readPayments,
  'payments.statement': payments.downloadStatement,
  ...named('masters', masters.masters),
  'masters.deactivate': masters.deactivateMaster,
  'masters.reactivate': masters.reactivateMaster,
  'masters.resetPassword': masters.resetMerchantPassword,
  ...named('branches', branches.branches),
  ...named('masterBranches', branches.masterBranches),
  ...named('adhocBranches', branches.adhocBranches),
  'branches.deactivate': branches.deactivateBranch,
  'branches.reactivate': branches.reactivateBranch,
  'branches.resetPassword': branches.resetBranchPassword,
  'imports.branches': imports.importBranches,
  ...named('posUsers', posUsers.posUsers),
  'posUsers.edit': posUsers.editPosUser,
  'posUsers.deactivate': posUsers.deactivatePosUser,
  'posUsers.reactivate': posUsers.reactivatePosUser,
  'posUsers.changePassword': posUsers.changePosPassword,
  'posUsers.resetPassword': posUsers.resetPosPassword,
  'imports.posUsers': imports.importPosUsers,
  'profile.get': profile.readProfile,
  'profile.editMain': profile.editProfile.main,
  'profile.editAdhoc': profile.editProfile.adhoc,
  'profile.editMaster': profile.editProfile.master,
  'profile.editBranch': profile.editProfile.branch,
  ...named('activity', activity),
  'resources.datatable': resources.resourceTable,
  'resources.download': resources.downloadResource,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof ENDPOINTS
