import type { Deps } from '../Deps.ts'
import { asActor } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { readDashboard } from '../services/dashboard/readDashboard.ts'

export const dashboardRoutes = (deps: Deps): Pick<Routes, 'dashboard.read'> => ({
  'dashboard.read': asActor(deps, readDashboard),
})
