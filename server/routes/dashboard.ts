import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { readDashboard } from '../services/dashboard/readDashboard.ts'

export const dashboardRoutes = (deps: Deps): Pick<Routes, 'dashboard.read'> => ({
  'dashboard.read': {
    identify: 'actor',
    handle: async ({ actor }) => ({ data: await readDashboard(deps, actor) }),
  },
})
