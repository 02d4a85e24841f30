import * as account from '../contract/accounts/account.ts'
import * as auth from '../contract/accounts/auth.ts'
import * as captcha from '../contract/accounts/captcha.ts'
import * as merchant from '../contract/merchants/onboarding.ts'
import * as review from '../contract/merchants/review.ts'
import * as signup from '../contract/merchants/signup.ts'
import * as filter from '../contract/reports/reportFilters.ts'
import * as upload from '../contract/uploads.ts'
import { resource } from './resource.ts'

/** The portal's calls, by resource: each is the endpoint of the same name in `src/contract`. */
export const authApi = resource({
  publicKey: auth.publicKey,
  login: auth.login,
  forgotPassword: auth.forgotPassword,
  confirmForgotPassword: auth.confirmForgotPassword,
  setNewPassword: auth.setNewPassword,
  initiateMfaSetup: auth.initiateMfaSetup,
  verifyAndEnableMfa: auth.verifyAndEnableMfa,
  verifyMfa: auth.verifyMfa,
})
export const accountApi = resource({
  myInfo: account.myInfo,
  logout: account.logout,
  changePassword: account.changePassword,
  signIns: account.signIns,
  renewRecoveryCodes: account.renewRecoveryCodes,
})
export const filterApi = resource({
  denominations: filter.denominationOptions,
  branches: filter.branchOptions,
  posUsers: filter.posUserOptions,
})
export const merchantApi = resource({
  readOnboarding: merchant.readOnboarding,
  submitOnboarding: merchant.submitOnboarding,
  resendInvitation: merchant.resendInvitation,
})
/** By the signed link alone: none of these carries a session. */
export const reviewApi = resource({ read: review.readReview, decide: review.decideReview })
export const captchaApi = resource({
  offer: captcha.captchaOffer,
  verifyV3: captcha.verifyCaptchaV3,
  verifyV2: captcha.verifyCaptchaV2,
})
export const uploadApi = resource({ presign: upload.presign, presignPublic: upload.presignPublic })
export const signupApi = resource({
  signup: signup.signup,
  productServiceCategories: signup.productServiceCategories,
})
