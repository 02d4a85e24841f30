import type { Deps } from '../Deps.ts'
import { listRoutes } from '../http/resourceRoutes.ts'
import { activityListing } from '../services/activity/activity.ts'

export const activityRoutes = (deps: Deps) => listRoutes(deps, 'activity', activityListing)
