import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { markNoticesRead, readNotices } from '../services/notices/notices.ts'

export const noticeRoutes = (deps: Deps): Pick<Routes, 'notices.read' | 'notices.mark'> => ({
  'notices.read': {
    identify: 'actor',
    handle: async ({ actor }) => ({ data: await readNotices(deps, actor) }),
  },
  'notices.mark': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: { read: await markNoticesRead(deps, actor, body.keys) } }),
  },
})
