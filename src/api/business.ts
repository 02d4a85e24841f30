import * as activity from '../contract/activity/activity.ts'
import * as branch from '../contract/branches.ts'
import * as dashboard from '../contract/dashboard.ts'
import * as imports from '../contract/imports.ts'
import * as master from '../contract/masters.ts'
import * as pos from '../contract/posUsers.ts'
import * as profile from '../contract/profile.ts'
import * as programme from '../contract/resources.ts'
import * as view from '../contract/views.ts'
import * as voucher from '../contract/vouchers.ts'
import { resource } from './resource.ts'

// Apart from `portal.ts`, which /login loads: what a merchant runs the business with comes with its own screens.

export const masterApi = resource({
  ...master.masters,
  deactivate: master.deactivateMaster,
  reactivate: master.reactivateMaster,
  resetPassword: master.resetMerchantPassword,
})
export const branchApi = resource({
  ...branch.branches,
  deactivate: branch.deactivateBranch,
  reactivate: branch.reactivateBranch,
  resetPassword: branch.resetBranchPassword,
})
export const masterBranchApi = resource(branch.masterBranches)
export const adhocBranchApi = resource(branch.adhocBranches)
export const posApi = resource({
  ...pos.posUsers,
  deactivate: pos.deactivatePosUser,
  reactivate: pos.reactivatePosUser,
  changePassword: pos.changePosPassword,
  resetPassword: pos.resetPosPassword,
})
export const branchImportApi = resource({ check: imports.checkBranches, commit: imports.importBranches })
export const posImportApi = resource({ check: imports.checkPosUsers, commit: imports.importPosUsers })
export const profileApi = resource({
  read: profile.readProfile,
  editMain: profile.editProfile.main,
  editAdhoc: profile.editProfile.adhoc,
  editMaster: profile.editProfile.master,
  editBranch: profile.editProfile.branch,
})
/** Files of the programme; a file itself goes through `download`. */
export const programmeApi = resource({ datatable: programme.resourceTable })
export const voucherApi = resource({ datatable: voucher.voucherTable, get: voucher.readVoucher })
export const activityApi = resource({ datatable: activity.activityTable })
export const viewApi = resource({
  list: view.listViews,
  create: view.createView,
  update: view.updateView,
  remove: view.removeView,
  setDefault: view.setDefaultView,
})
export const dashboardApi = resource({ read: dashboard.readDashboard })
