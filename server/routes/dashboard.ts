import type { Deps } from '../Deps.ts'
import { asActor, noted } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { notePractice } from '../services/dashboard/notePractice.ts'
import { readBusyHours } from '../services/dashboard/readBusyHours.ts'
import { readDashboard } from '../services/dashboard/readDashboard.ts'
import { readNotices } from '../services/notices/notices.ts'

export const dashboardRoutes = (
  deps: Deps,
): Pick<Routes, 'dashboard.read' | 'dashboard.busyHours' | 'notices.read' | 'practice.note'> => ({
  'dashboard.read': asActor(deps, readDashboard),
  'dashboard.busyHours': asActor(deps, readBusyHours),
  'notices.read': asActor(deps, readNotices),
  'practice.note': asActor(deps, notePractice, noted),
})
