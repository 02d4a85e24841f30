import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { editAccountProfile, editOrganisationProfile } from '../services/profile/editProfile.ts'
import { readProfile } from '../services/profile/readProfile.ts'

type ProfileRoutes = Pick<Routes, Extract<keyof Routes, `profile.${string}`>>

export const profileRoutes = (deps: Deps): ProfileRoutes => ({
  'profile.get': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await readProfile(deps, actor, params.id) }),
  },
  'profile.editMain': {
    identify: 'actor',
    handle: async ({ actor, params: { id }, body }) => ({
      data: await editOrganisationProfile(deps, actor, { type: 'main', id }, body),
    }),
  },
  'profile.editAdhoc': {
    identify: 'actor',
    handle: async ({ actor, params: { id }, body }) => ({
      data: await editOrganisationProfile(deps, actor, { type: 'adhoc', id }, body),
    }),
  },
  'profile.editMaster': {
    identify: 'actor',
    handle: async ({ actor, params: { id }, body }) => ({
      data: await editAccountProfile(deps, actor, { type: 'master', id }, body),
    }),
  },
  'profile.editBranch': {
    identify: 'actor',
    handle: async ({ actor, params: { id }, body }) => ({
      data: await editAccountProfile(deps, actor, { type: 'branch', id }, body),
    }),
  },
})
