import type { ReportRequest } from '../../src/contract/reports/report.ts'
import type { Deps } from '../Deps.ts'
import { asActor } from '../http/handlers.ts'
import type { FileAnswer, Routes } from '../http/Route.ts'
import type { Actor } from '../services/accounts/sessions/Actor.ts'
import { previewReport } from '../services/reports/previewReport.ts'
import { reportFile } from '../services/reports/reportFile.ts'

type ReportRoutes = Pick<Routes, 'report.transaction' | 'report.monthly' | 'report.daily' | 'report.preview'>

export const reportRoutes = (deps: Deps): ReportRoutes => {
  const answer = async (actor: Actor, asked: ReportRequest): Promise<FileAnswer> => {
    const { rows, ...file } = await reportFile(deps, actor, asked)
    return { ...file, headers: { 'x-row-count': String(rows) } }
  }
  return {
    'report.transaction': {
      identify: 'actor',
      handle: ({ actor, body }) => answer(actor, { report: 'transaction', params: body }),
    },
    'report.monthly': {
      identify: 'actor',
      handle: ({ actor, body }) => answer(actor, { report: 'monthly', params: body }),
    },
    'report.daily': {
      identify: 'actor',
      handle: ({ actor, body }) => answer(actor, { report: 'daily', params: body }),
    },
    'report.preview': asActor(deps, previewReport),
  }
}
