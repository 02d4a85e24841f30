import { findUser } from '../db/accounts/loginUsers.ts'
import type { Deps } from '../Deps.ts'
import { resourceRoutes } from '../http/resourceRoutes.ts'
import type { Routes } from '../http/Route.ts'
import { sendResetLinkToOther } from '../services/accounts/passwords/forgotPassword.ts'
import { masterListing } from '../services/masters/masterListing.ts'
import {
  createMaster,
  deactivateMaster,
  reactivateMaster,
  readMaster,
  removeMaster,
  updateMaster,
} from '../services/masters/masters.ts'
import { exportTable, readList, readPage } from '../services/tables/readTable.ts'

type MasterRoutes = Pick<Routes, Extract<keyof Routes, `masters.${string}`>>

export const masterRoutes = (deps: Deps): MasterRoutes => ({
  ...resourceRoutes('masters', {
    page: ({ scope }, query) => readPage(deps, scope, masterListing, query),
    export: (actor, query) => exportTable(deps, actor, masterListing, query),
    list: ({ scope }) => readList(deps, scope, masterListing),
    get: ({ scope }, id) => readMaster(deps.database.db, scope, id),
    create: (actor, body) => createMaster(deps, actor, body),
    update: (actor, id, body) => updateMaster(deps, actor, id, body),
    remove: (actor, id) => removeMaster(deps, actor, id),
  }),
  'masters.deactivate': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await deactivateMaster(deps, actor, params.id) }),
  },
  'masters.reactivate': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await reactivateMaster(deps, actor, params.id) }),
  },
  'masters.resetPassword': {
    identify: 'actor',
    async handle({ actor, params }) {
      const { guid } = await readMaster(deps.database.db, actor.scope, params.id)
      await sendResetLinkToOther(deps, actor, await findUser(deps.database.db, actor.scope, guid))
      return { data: { sent: true } }
    },
  },
})
