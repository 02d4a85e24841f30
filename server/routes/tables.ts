import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { createView } from '../services/views/views.ts'
import { listViews } from '../services/views/listViews.ts'
import { removeView } from '../services/views/removeView.ts'
import { setDefaultView } from '../services/views/setDefaultView.ts'
import { updateView } from '../services/views/updateView.ts'

type ViewRoutes = Pick<Routes, Extract<keyof Routes, `views.${string}`>>

export const viewRoutes = (deps: Deps): ViewRoutes => ({
  'views.list': {
    identify: 'actor',
    handle: async ({ actor }) => ({ data: await listViews(deps, actor) }),
  },
  'views.create': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: await createView(deps, actor, body) }),
  },
  'views.update': {
    identify: 'actor',
    handle: async ({ actor, params, body }) => ({ data: await updateView(deps, actor, params.id, body) }),
  },
  'views.remove': {
    identify: 'actor',
    async handle({ actor, params }) {
      await removeView(deps, actor, params.id)
      return { data: { deleted: true } }
    },
  },
  'views.setDefault': {
    identify: 'actor',
    async handle({ actor, body }) {
      await setDefaultView(deps, actor, body)
      return { data: { view_guid: body.view_guid } }
    },
  },
})
