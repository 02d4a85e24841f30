import type { Deps } from '../Deps.ts'
import { asActor } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { markNoticesRead, readNotices } from '../services/notices/notices.ts'

export const noticeRoutes = (deps: Deps): Pick<Routes, 'notices.read' | 'notices.mark'> => ({
  'notices.read': asActor(deps, readNotices),
  'notices.mark': asActor(deps, markNoticesRead, (read) => ({ read })),
})
