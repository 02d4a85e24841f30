import type { Deps } from '../Deps.ts'
import { asActor, csvAnswer } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { exportActivity, readActivity } from '../services/activity/activity.ts'

export const activityRoutes = (deps: Deps): Pick<Routes, 'activity.datatable' | 'activity.export'> => ({
  'activity.datatable': asActor(deps, readActivity),
  'activity.export': {
    identify: 'actor',
    handle: async ({ actor, body }) => csvAnswer(await exportActivity(deps, actor, body)),
  },
})
