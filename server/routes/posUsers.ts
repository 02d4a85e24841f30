import type { Deps } from '../Deps.ts'
import { resourceRoutes } from '../http/resourceRoutes.ts'
import type { Routes } from '../http/Route.ts'
import { listPosUsers, posUserListing } from '../services/pos-users/posUserListing.ts'
import { changePosPassword, resetPosPassword } from '../services/pos-users/posUserPasswords.ts'
import {
  createPosUser,
  deactivatePosUser,
  reactivatePosUser,
  readPosUser,
  removePosUser,
  updatePosUser,
} from '../services/pos-users/posUsers.ts'
import { exportTable, readPage } from '../services/tables/readTable.ts'

type PosUserRoutes = Pick<Routes, Extract<keyof Routes, `posUsers.${string}`>>

export const posUserRoutes = (deps: Deps): PosUserRoutes => ({
  ...resourceRoutes('posUsers', {
    page: ({ scope }, query) => readPage(deps, scope, posUserListing, query),
    export: (actor, query) => exportTable(deps, actor, posUserListing, query),
    list: ({ scope }) => listPosUsers(deps.database.db, scope),
    get: ({ scope }, id) => readPosUser(deps.database.db, scope, id),
    create: (actor, body) => createPosUser(deps, actor, body),
    update: (actor, id, body) => updatePosUser(deps, actor, id, body),
    remove: (actor, id) => removePosUser(deps, actor, id),
  }),
  'posUsers.edit': {
    identify: 'actor',
    handle: async ({ actor, params, body }) => ({ data: await updatePosUser(deps, actor, params.id, body) }),
  },
  'posUsers.deactivate': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await deactivatePosUser(deps, actor, params) }),
  },
  'posUsers.reactivate': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await reactivatePosUser(deps, actor, params) }),
  },
  'posUsers.changePassword': {
    identify: 'actor',
    async handle({ actor, params, body }) {
      await changePosPassword(deps, actor, params.id, body.encrypted_new_password)
      return { data: { changed: true } }
    },
  },
  'posUsers.resetPassword': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({
      data: { temporary_password: await resetPosPassword(deps, actor, params.id) },
    }),
  },
})
