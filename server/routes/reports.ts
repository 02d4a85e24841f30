import type { Deps } from '../Deps.ts'
import { asActor } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { previewReport } from '../services/reports/previewReport.ts'
import { reportFile } from '../services/reports/reportFile.ts'

type ReportRoutes = Pick<Routes, 'report.transaction' | 'report.monthly' | 'report.daily' | 'report.preview'>

export const reportRoutes = (deps: Deps): ReportRoutes => ({
  'report.transaction': {
    identify: 'actor',
    handle: ({ actor, body }) => reportFile(deps, actor, { report: 'transaction', params: body }),
  },
  'report.monthly': {
    identify: 'actor',
    handle: ({ actor, body }) => reportFile(deps, actor, { report: 'monthly', params: body }),
  },
  'report.daily': {
    identify: 'actor',
    handle: ({ actor, body }) => reportFile(deps, actor, { report: 'daily', params: body }),
  },
  'report.preview': asActor(deps, previewReport),
})
