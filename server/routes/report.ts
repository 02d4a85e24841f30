import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { transactionReport } from '../services/transactionReport.ts'

export const reportRoutes = (deps: Deps): Pick<Routes, 'report.transaction'> => ({
  'report.transaction': {
    identify: 'actor',
    async handle({ actor, body }) {
      const { rows, ...file } = await transactionReport(deps, actor, body)
      return { ...file, contentType: 'text/csv; charset=utf-8', headers: { 'x-row-count': String(rows) } }
    },
  },
})
