import * as account from './account.ts'
import * as auth from './auth.ts'
import * as captcha from './captcha.ts'
import type { Endpoint } from './endpoint.ts'
import * as filter from './filter.ts'
import * as merchant from './merchant.ts'
import * as report from './report.ts'
import * as review from './review.ts'
import * as signup from './signup.ts'
import * as system from './system.ts'
import * as upload from './upload.ts'
import * as voucher from './voucher.ts'

/** The single list: server routes, OpenAPI and the contract tests are made from it. What is not built yet is not here. */
export const ENDPOINTS = {
  'system.health': system.health,
  'system.ready': system.ready,
  'auth.publicKey': auth.publicKey,
  'auth.login': auth.login,
  'auth.setNewPassword': auth.setNewPassword,
  'auth.initiateMfaSetup': auth.initiateMfaSetup,
  'auth.verifyAndEnableMfa': auth.verifyAndEnableMfa,
  'auth.verifyMfa': auth.verifyMfa,
  'auth.forgotPassword': auth.forgotPassword,
  'auth.confirmForgotPassword': auth.confirmForgotPassword,
  'account.myInfo': account.myInfo,
  'account.signIns': account.signIns,
  'account.renewRecoveryCodes': account.renewRecoveryCodes,
  'account.refresh': account.refresh,
  'account.logout': account.logout,
  'account.changePassword': account.changePassword,
  'account.adminChangePassword': account.adminChangePassword,
  'merchant.changePassword': account.merchantChangePassword,
  'merchant.resendInvitation': merchant.resendInvitation,
  'captcha.offer': captcha.offer,
  'captcha.verifyV3': captcha.verifyV3,
  'captcha.verifyV2': captcha.verifyV2,
  'upload.presign': upload.presign,
  'upload.presignPublic': upload.presignPublic,
  'signup.apply': signup.signup,
  'signup.categories': signup.productServiceCategories,
  'onboarding.read': merchant.readOnboarding,
  'onboarding.submit': merchant.submitOnboarding,
  'review.read': review.readReview,
  'review.decide': review.decideReview,
  'signup.termsPdf': signup.termsPdf,
  'voucher.datatable': voucher.datatable,
  'voucher.verify': voucher.verify,
  'voucher.redeem': voucher.redeem,
  'voucher.redemption': voucher.redemption,
  'filter.denominations': filter.denominations,
  'filter.branches': filter.branches,
  'filter.posUsers': filter.posUsers,
  'report.transaction': report.transactionReport,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof ENDPOINTS
